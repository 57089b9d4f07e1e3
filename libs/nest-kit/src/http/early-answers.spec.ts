import { type AddressInfo, type Socket } from 'node:net';
import { fastify, type FastifyInstance } from 'fastify';
import { exchange, statusesIn } from '../../test/raw-exchange.js';
import { drainUnreadBodies, refuseUnknownAddresses } from './early-answers.js';

const MIB = 1024 * 1024;

let server: FastifyInstance;
let port: number;

beforeAll(async () => {
  server = fastify({ bodyLimit: MIB });
  drainUnreadBodies(server);
  refuseUnknownAddresses(server);
  server.setErrorHandler((error: { status?: number; statusCode?: number }, _request, reply) =>
    reply.status(error.status ?? error.statusCode ?? 500).send({}),
  );
  server.post('/read', ({ body }) => ({ length: JSON.stringify(body).length }));
  server.post(
    '/refused',
    { onRequest: (_request, reply) => void reply.status(401).send({ error: 'no' }) },
    () => ({}),
  );
  await server.listen({ port: 0, host: '127.0.0.1' });
  ({ port } = server.server.address() as AddressInfo);
});
afterAll(() => server.close());

const head = (path: string, framing: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${framing}\r\n\r\n`;
const NEXT =
  'POST /read HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}';
const json = (bytes: number) => `"${'x'.repeat(bytes - 2)}"`;
const chunked = (body: string) => {
  const size = 64 * 1024;
  const chunks = Array.from({ length: Math.ceil(body.length / size) }, (_, index) =>
    body.slice(index * size, (index + 1) * size),
  );
  return `${chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')}0\r\n\r\n`;
};
/** As simple clients do. */
const readsNothingWhileSending = (text: string) => (socket: Socket) => {
  socket.pause();
  socket.write(text, () => socket.resume());
};

describe.each([
  ['/read', 413],
  ['/refused', 401],
  ['/nowhere', 404],
])('a body for %s', (path, status) => {
  it.each([2 * MIB, 15 * MIB])(
    'of %d bytes and known length is drained: the response arrives, and the connection stays open',
    async (bytes) => {
      const body = json(bytes);
      const text = head(path, `Content-Length: ${bytes}`) + body + NEXT;
      const { received, errorCode } = await exchange(port, readsNothingWhileSending(text));
      expect([statusesIn(received), errorCode]).toEqual([[status, 200], undefined]);
    },
  );

  it.each(['HTTP/1.1\r\nConnection: close', 'HTTP/1.0'])(
    'is drained when the connection ends with it: %j',
    async (version) => {
      const bytes = 15 * MIB;
      const text =
        head(path, `Content-Length: ${bytes}`).replace('HTTP/1.1', version) + json(bytes);
      for (let round = 0; round < 5; round += 1) {
        const { received, errorCode } = await exchange(port, readsNothingWhileSending(text));
        expect([statusesIn(received), errorCode]).toEqual([[status], undefined]);
        expect(received).toMatch(/\r\n\r\n\{.*\}$/s);
      }
    },
  );

  it('of unknown length as well', async () => {
    const text = head(path, 'Transfer-Encoding: chunked') + chunked(json(15 * MIB)) + NEXT;
    const { received, errorCode } = await exchange(port, readsNothingWhileSending(text));
    expect([statusesIn(received), errorCode]).toEqual([[status, 200], undefined]);
  });

  it('without an end is cut off after the response', async () => {
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    let sentBytes = 0;
    const { received } = await exchange(port, (socket) => {
      const sendMore = () => {
        while (socket.writable && socket.write(chunk)) sentBytes += chunk.length;
      };
      socket.on('drain', sendMore);
      socket.write(head(path, 'Transfer-Encoding: chunked'));
      sendMore();
    });
    expect(statusesIn(received)).toEqual([status]);
    expect(sentBytes).toBeLessThan(64 * MIB);
  });
});

it('an answer that needed the whole body keeps the connection as it is', async () => {
  const body = json(1000);
  const text = head('/read', `Content-Length: 1000`) + body + NEXT;
  const { received } = await exchange(port, (socket) => socket.write(text));
  expect(statusesIn(received)).toEqual([200, 200]);
});
