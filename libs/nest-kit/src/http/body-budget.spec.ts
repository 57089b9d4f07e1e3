import { type AddressInfo, connect, type Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { eventually } from '@gatehouse/testing';
import { type DomainError } from '@gatehouse/kit/errors';
import { BodyBudget } from './body-budget.js';

const MEBIBYTE = 1024 * 1024;
const LARGE = 600_000;

let fastify: FastifyInstance;
/** Requests that have been read and wait for their answer. */
let held: (() => void)[];
const sockets: Socket[] = [];

beforeEach(async () => {
  held = [];
  fastify = Fastify({ bodyLimit: 3 * MEBIBYTE, forceCloseConnections: true });
  new BodyBudget(1).register(fastify);
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
});
afterEach(async () => {
  for (const answer of held) answer();
  for (const socket of sockets.splice(0)) socket.destroy();
  await fastify.close();
});

const address = () => `http://127.0.0.1:${(fastify.server.address() as AddressInfo).port}`;
const post = (bytes: number, headers: Record<string, string> = {}) =>
  fetch(address(), {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream', ...headers },
    body: Buffer.alloc(bytes),
  });
/** A request that is answered as soon as it has been read. */
const passing = (bytes: number) => post(bytes, { 'x-held': 'no' });
const untilHeld = (count: number) => eventually(() => expect(held).toHaveLength(count));

it('answers 503 with Retry-After to a large body beyond the budget, until an answer ends', async () => {
  const first = post(LARGE);
  await untilHeld(1);
  const refused = await post(LARGE);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  held[0]?.();
  expect((await first).status).toBe(200);
  await eventually(async () => expect((await passing(LARGE)).status).toBe(200));
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
  expect((await post(LARGE)).status).toBe(503);
  held[0]?.();
  expect((await first).status).toBe(200);
});

it('counts a body of unknown length as the largest that the route accepts', async () => {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(Buffer.alloc(10));
      controller.close();
    },
  });
  const headers = { 'content-type': 'application/octet-stream' };
  const first = fetch(address(), { method: 'POST', headers, body, duplex: 'half' });
  await untilHeld(1);
  expect((await post(LARGE)).status).toBe(503);
  held[0]?.();
  expect((await first).status).toBe(200);
});

it.each([
  ['in the middle of its body', LARGE - 1],
  ['while it waits for its answer', LARGE],
])('counts no longer after a client has gone %s', async (_when, sentBytes) => {
  const socket = connect((fastify.server.address() as AddressInfo).port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  const head = `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: a/b\r\nContent-Length: ${LARGE}\r\n\r\n`;
  socket.write(Buffer.concat([Buffer.from(head), Buffer.alloc(sentBytes)]));
  await eventually(async () => {
    if (sentBytes === LARGE) expect(held).toHaveLength(1);
    else expect((await passing(2 * MEBIBYTE)).status).toBe(503);
  });
  socket.destroy();
  for (const answer of held) answer();
  await eventually(async () => expect((await passing(LARGE)).status).toBe(200));
});
