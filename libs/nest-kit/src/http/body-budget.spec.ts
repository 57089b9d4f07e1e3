import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { eventually } from '@gatehouse/testing';
import { type DomainError } from '@gatehouse/kit/errors';
import { BodyBudget } from './body-budget.js';
import { drainUnreadBodies } from './early-answers.js';

const MEBIBYTE = 1024 * 1024;
const LARGE = 600_000;
/** A quarter of the budget. */
const SHARE = MEBIBYTE / 4;

let fastify: FastifyInstance;
/** Requests that have been read and wait for their answer. */
let held: (() => void)[];
/** How many large bodies have been begun. */
let begun: number;
const sockets: Socket[] = [];

async function listen(paceIntervalMs?: number): Promise<void> {
  held = [];
  begun = 0;
  fastify = Fastify({ bodyLimit: 3 * MEBIBYTE, forceCloseConnections: true });
  drainUnreadBodies(fastify);
  fastify.addHook('onRequest', (request, _reply, next) => {
    request.bodyOwner = request.headers['x-owner'] as string | undefined;
    next();
  });
  new BodyBudget({ mebibytesMax: 1, paceIntervalMs }).register(fastify);
  fastify.addHook('preParsing', (_request, _reply, _payload, next) => {
    begun += 1;
    next();
  });
  fastify.setErrorHandler((error, _request, reply) => {
    const { httpStatus = 500, retryAfterSeconds } = error as Partial<DomainError>;
    return reply.status(httpStatus).header('retry-after', retryAfterSeconds).send();
  });
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
  fastify.post('/', async ({ headers }) => {
    if (headers['x-held'] === 'no') return 'ok';
    await new Promise<void>((resolve) => held.push(resolve));
    return 'ok';
  });
  await fastify.listen({ host: '127.0.0.1', port: 0 });
}
beforeEach(() => listen());
afterEach(async () => {
  for (const answer of held) answer();
  for (const socket of sockets.splice(0)) socket.destroy();
  await fastify.close();
});

/** Requests that a connection sends without waiting for answers. */
async function pipeline(count: number, bytes: number): Promise<Socket> {
  const socket = connect((fastify.server.address() as AddressInfo).port, '127.0.0.1');
  sockets.push(socket);
  await once(socket, 'connect');
  const head = `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/octet-stream\r\n`;
  socket.write(`${head}Content-Length: ${bytes}\r\n\r\n${'x'.repeat(bytes)}`.repeat(count));
  return socket;
}

const address = () => `http://127.0.0.1:${(fastify.server.address() as AddressInfo).port}`;
const post = (bytes: number, headers: Record<string, string> = {}) =>
  fetch(address(), {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream', ...headers },
    body: Buffer.alloc(bytes),
  });
/** A request that is answered as soon as it has been read. */
const passing = (bytes: number, owner = 'bystander') =>
  post(bytes, { 'x-held': 'no', 'x-owner': owner });
const untilHeld = (count: number) => eventually(() => expect(held).toHaveLength(count));

it('answers 503 with Retry-After to a large body beyond the budget, until an answer ends', async () => {
  const first = post(LARGE);
  await untilHeld(1);
  const refused = await passing(LARGE);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  held[0]?.();
  expect((await first).status).toBe(200);
  await eventually(async () => expect((await passing(LARGE)).status).toBe(200));
});

it('answers 503 beyond the share of an owner, and serves the others', async () => {
  const first = post(SHARE - 50_000);
  await untilHeld(1);
  expect((await post(100_000)).status).toBe(503);
  expect((await passing(100_000)).status).toBe(200);
  held[0]?.();
  expect((await first).status).toBe(200);
  await eventually(async () => expect((await post(100_000, { 'x-held': 'no' })).status).toBe(200));
});

it('does not count small bodies', async () => {
  const first = post(LARGE);
  await untilHeld(1);
  const small = Array.from({ length: 200 }, () => post(8 * 1024));
  await untilHeld(201);
  for (const answer of held) answer();
  for (const { status } of await Promise.all([first, ...small])) expect(status).toBe(200);
});

it('serves a body that is larger than the whole budget alone', async () => {
  const first = post(2 * MEBIBYTE);
  await untilHeld(1);
  expect((await passing(LARGE)).status).toBe(503);
  held[0]?.();
  expect((await first).status).toBe(200);
});

/** Sends the head of a request and the beginning of its body. */
function begin(announced: number, sent: number, owner = 'hostile') {
  const socket = connect((fastify.server.address() as AddressInfo).port, '127.0.0.1');
  sockets.push(socket);
  let received = '';
  socket.on('error', () => undefined).on('data', (chunk) => (received += String(chunk)));
  const length =
    announced === Infinity ? 'Transfer-Encoding: chunked' : `Content-Length: ${announced}`;
  const head = `POST / HTTP/1.1\r\nHost: x\r\nX-Owner: ${owner}\r\nContent-Type: a/b\r\n${length}\r\n\r\n`;
  const body =
    announced === Infinity ? `${sent.toString(16)}\r\n${'x'.repeat(sent)}` : 'x'.repeat(sent);
  socket.write(head + body);
  return { socket, status: () => Number(/^HTTP\/1.1 (\d+)/.exec(received)?.[1]) };
}
const ANNOUNCED = [SHARE / 2, Infinity];

describe.each(ANNOUNCED)(
  'an owner who announces %d bytes in each of many requests',
  (announced) => {
    it('takes nothing from others until they arrive', async () => {
      const many = Array.from({ length: 40 }, () => begin(announced, 1));
      await eventually(() => expect(begun).toBe(many.length));
      for (const owner of ['bystander', 'hostile']) {
        expect((await passing(SHARE / 2, owner)).status).toBe(200);
      }
    });

    it('holds no more than a share of what arrives', async () => {
      const many = Array.from({ length: 40 }, () => begin(announced, 60_000));
      await eventually(() => {
        const refused = many.filter(({ status }) => status() === 503);
        // Four times 60,000 bytes are a share.
        expect(refused.length).toBeGreaterThanOrEqual(many.length - 4);
      });
      expect((await passing(LARGE)).status).toBe(200);
    });

    it('is answered 408 once nothing more arrives, and the connection closes', async () => {
      await fastify.close();
      await listen(50);
      const { socket, status } = begin(announced, 60_000);
      const arrived = post(60_000);
      const closed = once(socket, 'end');
      await eventually(() => expect(status()).toBe(408));
      await closed;
      // What has arrived may take as long as it does.
      held[0]?.();
      expect((await arrived).status).toBe(200);
      await eventually(async () => expect((await passing(2 * MEBIBYTE)).status).toBe(200));
    });
  },
);

it.each([
  ['in the middle of its body', LARGE - 1],
  ['while it waits for its answer', LARGE],
])('counts no longer after a client has gone %s', async (_when, sentBytes) => {
  const { socket } = begin(LARGE, sentBytes);
  await eventually(async () => {
    if (sentBytes === LARGE) expect(held).toHaveLength(1);
    else expect((await passing(2 * MEBIBYTE)).status).toBe(503);
  });
  socket.destroy();
  for (const answer of held) answer();
  await eventually(async () => expect((await passing(LARGE)).status).toBe(200));
});

it('lets go of all requests of a connection that is lost, whether they were answered before or after', async () => {
  for (const isAnsweredFirst of [true, false, true, false, true, false]) {
    const socket = await pipeline(2, 100_000);
    await eventually(() => expect(held).toHaveLength(2));
    const answers = held.splice(0);
    // The answer to the second request waits for that to the first.
    if (isAnsweredFirst) answers[1]?.();
    socket.destroy();
    await once(socket, 'close');
    for (const answer of answers) answer();
  }
  await eventually(async () =>
    expect((await post(LARGE, { 'x-held': 'no', 'x-owner': 'other' })).status).toBe(200),
  );
});
