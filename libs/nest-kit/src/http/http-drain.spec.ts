import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { eventually, listenOnLoopback } from '@gatehouse/testing';
import Fastify, { type FastifyInstance } from 'fastify';
import { DirectRoutes } from './direct-routes.js';
import { HttpDrain } from './http-drain.js';
import { RequestSteps } from './request-steps.js';
import { serverFactory } from './server-factory.js';

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

let drain: HttpDrain;
let fastify: FastifyInstance;
let port: number;
/** Answers the request in flight. */
let answer: () => void;
let arrived: Promise<void>;

beforeEach(async () => {
  drain = new HttpDrain();
  const routes = new DirectRoutes(new RequestSteps({ headers: [], observers: [] }), drain);
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
  ({ port } = fastify.server.address() as AddressInfo);
});
afterEach(() => fastify.close());

const open = async () => {
  const socket = connect(port, '127.0.0.1');
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

it('serves connections that are idle when it closes, each for one more request', async () => {
  const idle = await open();
  idle.socket.write(GET);
  await answered(idle.socket);
  expect(idle.received()).toMatch(/^connection: keep-alive/im);
  const unused = await open();
  const closed = drain.close(20_000, 10_000);
  await eventually(() => expect(fastify.server.listening).toBe(false));
  await expect(open()).rejects.toThrow('ECONNREFUSED');
  for (const { socket } of [idle, unused]) socket.write(GET);
  for (const { ended } of [idle, unused]) {
    expect((await ended).match(/^connection: close/gim)).toHaveLength(1);
  }
  expect(await closed).toBe(true);
});

it('answers the request in flight before it closes', async () => {
  const { ended } = await hold();
  const closed = drain.close(10_000);
  await eventually(() => expect(fastify.server.listening).toBe(false));
  answer();
  expect(await ended).toMatch(/^HTTP\/1\.1 200 [^]*connection: close[^]*held$/i);
  expect(await closed).toBe(true);
});

it('ends the connection of a request in flight that it follows, in a server without hooks', async () => {
  const responses: ServerResponse[] = [];
  const server = createServer((request, response) => {
    drain.onRequest(request, response);
    drain.follow(response);
    responses.push(response);
  });
  drain.watch(server);
  port = await listenOnLoopback(server);
  const { socket, ended } = await open();
  socket.write(GET);
  await eventually(() => expect(responses).toHaveLength(1));
  const closed = drain.close(60_000);
  await eventually(() => expect(server.listening).toBe(false));
  responses[0]?.end('followed');
  expect(await ended).toMatch(/^HTTP\/1\.1 200 [^]*connection: close[^]*followed$/i);
  expect(await closed).toBe(true);
});

it('closes idle connections after their time', async () => {
  const unused = await open();
  const idle = await open();
  idle.socket.write(GET);
  await answered(idle.socket);
  expect(await drain.close(20_000, 10)).toBe(true);
  await Promise.all([unused.ended, idle.ended]);
});

it('cuts off what takes longer than the time that it has', async () => {
  const { ended } = await hold();
  expect(await drain.close(20)).toBe(false);
  expect(await ended).toBe('');
  answer();
});
