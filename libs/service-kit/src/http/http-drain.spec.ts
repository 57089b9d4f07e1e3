import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { DirectRoutes } from './direct-routes.js';
import { HttpDrain } from './http-drain.js';
import { RequestSteps } from './request-steps.js';
import { serverFactory } from './server-factory.js';

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

let drain: HttpDrain;
let fastify: FastifyInstance;
/** Answers the request in flight. */
let answer: () => void;
let arrived: Promise<void>;

beforeEach(async () => {
  drain = new HttpDrain();
  const routes = new DirectRoutes(new RequestSteps([]), drain);
  fastify = Fastify({ serverFactory: serverFactory(drain, routes) });
  drain.register(fastify);
  arrived = new Promise((arrive) => {
    fastify.get('/held', async () => {
      arrive();
      await new Promise<void>((resolve) => (answer = resolve));
      return 'held';
    });
  });
  fastify.get('/', () => 'ok');
  await fastify.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => fastify.close());

const open = async () => {
  const socket = connect((fastify.server.address() as AddressInfo).port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => (received += chunk.toString()));
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(received)));
  await once(socket, 'connect');
  return { socket, ended, received: () => received };
};
const answered = (socket: Socket) => once(socket, 'data');
const hold = async () => {
  const client = await open();
  client.socket.write(GET.replace(' / ', ' /held '));
  await arrived;
  return client;
};

it('while draining, serves old and new connections, and closes each after its response', async () => {
  const kept = await open();
  kept.socket.write(GET);
  await answered(kept.socket);
  expect(kept.received()).toMatch(/^connection: keep-alive/im);
  await drain.drain(0);
  kept.socket.write(GET);
  expect((await kept.ended).match(/^connection: close/gim)).toHaveLength(1);
  const fresh = await open();
  fresh.socket.write(GET);
  expect(await fresh.ended).toMatch(/^HTTP\/1\.1 200 /);
});

it('answers the request in flight before it closes', async () => {
  const { ended } = await hold();
  await drain.drain(0);
  const closed = drain.close(10_000);
  answer();
  expect(await ended).toMatch(/^HTTP\/1\.1 200 [^]*connection: close[^]*held$/i);
  expect(await closed).toBe(true);
});

it('does not wait for connections without a request', async () => {
  const unused = await open();
  const idle = await open();
  idle.socket.write(GET);
  await answered(idle.socket);
  await drain.drain(0);
  expect(await drain.close(10_000)).toBe(true);
  await Promise.all([unused.ended, idle.ended]);
});

it('cuts off what takes longer than the time that it has', async () => {
  const { ended } = await hold();
  await drain.drain(0);
  expect(await drain.close(20)).toBe(false);
  expect(await ended).toBe('');
  answer();
});
