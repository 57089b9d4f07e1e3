// Only the counter of the route shows which way a request took; responses, logs and metrics do not.
import { once } from 'node:events';
import { type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { Registry } from 'prom-client';
import { eventually } from '@gatehouse/testing';
import { requestMetrics } from '../metrics/request-metrics.js';
import { DirectRoutes } from './direct-routes.js';
import { HttpDrain } from './http-drain.js';
import { requestId } from './request-id.js';
import { RequestSteps, type RequestSummary } from './request-steps.js';
import { securityHeaders } from './security-headers.js';
import { serverFactory } from './server-factory.js';

const ROUTE = '/things::count';
const PATH = '/things:count';
const SHELF_ROUTE = '/shelves/:id/count::all';
const BODY_BYTES_MAX = 100;

let fastify: FastifyInstance;
let routes: DirectRoutes;
let drain: HttpDrain;
let registry: Registry;
let socket: Socket;
let received: string;
let logged: RequestSummary[];
let direct: number;
let full: number;

const soon = <T>(make: () => T | Promise<T>) =>
  new Promise<void>((resolve) => setImmediate(resolve)).then(make);
const answerTo = (text: string) => JSON.stringify({ characters: [...text].length });

beforeEach(async () => {
  [received, logged, direct, full] = ['', [], 0, 0];
  registry = new Registry();
  const steps = new RequestSteps({
    headers: securityHeaders({}),
    observers: [requestMetrics(registry), (summary) => void logged.push(summary)],
  });
  drain = new HttpDrain();
  routes = new DirectRoutes(steps, drain);
  fastify = Fastify({
    serverFactory: serverFactory(drain, routes),
    genReqId: requestId,
    requestIdHeader: false,
    bodyLimit: 1000,
  });
  steps.register(fastify);
  drain.register(fastify);
  fastify.post(ROUTE, (request, reply) => {
    full += 1;
    const { text } = request.body as { text: string };
    return reply
      .code(201)
      .header('content-type', 'application/json; charset=utf-8')
      .send(answerTo(text));
  });
  routes.add({
    method: 'POST',
    route: ROUTE,
    bodyBytesMax: BODY_BYTES_MAX,
    accepts: ({ headers }) => headers['x-way'] !== 'full',
    answer: (_request, body) => {
      const { text } = JSON.parse(body.toString()) as { text: string };
      if (text === 'unknown') return undefined;
      if (text === 'late fault') return soon(() => Promise.reject(new Error('late')));
      direct += 1;
      const headers = ['content-type', 'application/json; charset=utf-8'];
      const answer = { status: 201, headers, body: answerTo(text) };
      return text === 'late' ? soon(() => answer) : answer;
    },
  });
  fastify.post(SHELF_ROUTE, (request, reply) => {
    full += 1;
    return reply.send((request.params as { id: string }).id);
  });
  routes.add({
    method: 'POST',
    route: SHELF_ROUTE,
    bodyBytesMax: BODY_BYTES_MAX,
    accepts: () => true,
    answer: (_request, _body, shelf) => {
      direct += 1;
      return { status: 200, headers: ['content-type', 'text/plain; charset=utf-8'], body: shelf };
    },
  });
  await fastify.listen({ host: '127.0.0.1', port: 0 });
  socket = connect((fastify.server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('data', (chunk) => (received += chunk.toString()));
  await once(socket, 'connect');
});
afterEach(async () => {
  socket.destroy();
  await fastify.close();
});

const request = (text: string, headers: Record<string, string> = {}, path = PATH): Buffer => {
  const body = JSON.stringify({ text });
  const all = {
    host: 'x',
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
};
const ways = () => [direct, full];
const answers = () => received.split(/(?=HTTP\/1\.1 \d{3} )/).filter((text) => text !== '');
const isWhole = (text: string) => {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const length = /content-length: (\d+)/i.exec(head)?.[1];
  return text.includes('\r\n\r\n') && Buffer.byteLength(body) >= Number(length ?? 0);
};
const answered = async (count: number) => {
  while (answers().filter(isWhole).length < count) await once(socket, 'data');
  return answers();
};
const statuses = () => answers().map((text) => Number(text.slice(9, 12)));
const withoutTime = (text: string) => text.replace(/^date: .*$/im, '').split('\r\n');

const WAYS: Record<string, string>[] = [{}, { 'x-way': 'full' }];

it('sends the same bytes, metrics and log lines both ways', async () => {
  for (const headers of WAYS) {
    socket.write(request('Ünïcode 😀', { 'x-request-id': 'mine', ...headers }));
  }
  const [one = '', other = ''] = (await answered(2)).map(withoutTime).map((lines) => lines.sort());
  expect(ways()).toEqual([1, 1]);
  expect(one).toEqual(other);
  await eventually(() => expect(logged).toHaveLength(2), { intervalMs: 1 });
  const [mine, theirs] = logged.map(({ durationMs, ...rest }) => [rest, durationMs > 0]);
  expect(mine).toEqual(theirs);
  expect(mine).toEqual([{ requestId: 'mine', method: 'POST', route: ROUTE, status: 201 }, true]);
  const text = await registry.metrics();
  expect(text.match(/^http_request_duration_seconds_count.*$/gm)).toEqual([
    `http_request_duration_seconds_count{method="POST",route="${ROUTE}",status="201"} 2`,
  ]);
});

it('reads a plain path parameter, and leaves any other to Fastify', async () => {
  const ids = ['a', 'A.b_c-d~1', 'a%20b', 'a%2Fb', 'ä'.repeat(3), '%C3%A4', "a'b"];
  const paths = ids.map((id) => `/shelves/${encodeURI(id).replaceAll('%25', '%')}/count:all`);
  paths.push('/shelves/a/count:all?x=1', '/shelves/a/b/count:all', '/shelves/count:all');
  for (const path of paths) socket.write(request('', {}, path));
  await answered(paths.length);
  const bodies = answers().map((text) => text.split('\r\n\r\n')[1]);
  expect(bodies.slice(0, 8)).toEqual([...ids.slice(0, 2), 'a b', 'a/b', 'äää', 'ä', "a'b", 'a']);
  expect(statuses().slice(8)).toEqual([404, 404]);
  expect(ways()).toEqual([2, 6]);
});

it('answers pipelined requests in order, direct or not', async () => {
  const sent = ['a', 'unknown', 'late', 'aa', 'late fault', 'aaa', 'unknown', 'aaaa'];
  socket.write(Buffer.concat(sent.map((text) => request(text))));
  await answered(sent.length);
  expect(answers().map((text) => /\{.*\}$/.exec(text)?.[0])).toEqual(sent.map(answerTo));
  expect(ways()).toEqual([5, 3]);
});

it('leaves a late body to Fastify, and returns a body that it has read', async () => {
  const bytes = request('Ünïcode 😀');
  for (let from = 0; from < bytes.length; from += 1) {
    socket.write(bytes.subarray(from, from + 1));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await answered(1);
  socket.write(request('unknown'));
  await answered(2);
  expect(statuses()).toEqual([201, 201]);
  expect(ways()).toEqual([0, 2]);
});

it('leaves unusual requests to Fastify', async () => {
  const bytes = (headers: string, body: string) =>
    Buffer.from(`POST ${PATH} HTTP/1.1\r\nhost: x\r\n${headers}\r\n${body}`);
  const json = 'content-type: application/json\r\n';
  const chunked = `${json}transfer-encoding: chunked\r\n`;
  socket.write(bytes(chunked, 'd\r\n{"text":"ab"}\r\n0\r\n\r\n'));
  await answered(1);
  socket.write(request('a'.repeat(BODY_BYTES_MAX)));
  await answered(2);
  socket.write(request('a'.repeat(1000)));
  await answered(3);
  expect(statuses()).toEqual([201, 201, 413]);
  expect(ways()).toEqual([0, 2]);
});

it.each([
  ['no body', `content-length: 0\r\ncontent-type: application/json\r\n\r\n`, 400],
  ['broken JSON', `content-length: 1\r\ncontent-type: application/json\r\n\r\n{`, 400],
  ['another type', `content-length: 1\r\ncontent-type: text/html\r\n\r\n{`, 415],
])('leaves the refusal of %s to Fastify', async (_what, rest, status) => {
  socket.write(`POST ${PATH} HTTP/1.1\r\nhost: x\r\n${rest}`);
  await answered(1);
  expect(statuses()).toEqual([status]);
  expect(answers()[0]).toMatch(/"statusCode":4/);
});

it('sends "100 Continue" to a client that expects it', async () => {
  const bytes = request('ab', { expect: '100-continue' });
  const end = bytes.indexOf('\r\n\r\n') + 4;
  socket.write(bytes.subarray(0, end));
  while (!received.includes('100 Continue')) await once(socket, 'data');
  socket.write(bytes.subarray(end));
  await answered(2);
  expect(statuses()).toEqual([100, 201]);
  expect(ways()).toEqual([0, 1]);
});

it.each(['GET', 'HEAD', 'PUT'])('does not serve %s requests of the path', async (method) => {
  socket.write(`${method} ${PATH} HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n`);
  while (!received.includes('\r\n\r\n')) await once(socket, 'data');
  expect(statuses()).toEqual([404]);
});

it.each(WAYS)('survives an aborted request: %j', async (headers) => {
  const bytes = request('abc', headers);
  const heard = once(fastify.server, 'request');
  socket.write(bytes.subarray(0, bytes.length - 2));
  const [incoming] = (await heard) as [IncomingMessage];
  socket.destroy();
  await new Promise((resolve) => incoming.once('close', resolve));
  expect(ways()).toEqual([0, 0]);
  expect(logged).toEqual([]);
});

it.each(WAYS)('closes the connection with each response while closing: %j', async (headers) => {
  const closed = drain.close(20_000, 10_000);
  await eventually(() => expect(fastify.server.listening).toBe(false));
  const ended = once(socket, 'close');
  socket.write(request('late', headers));
  await ended;
  expect(statuses()).toEqual([201]);
  expect(received).toMatch(/^connection: close\r$/im);
  expect(await closed).toBe(true);
});
