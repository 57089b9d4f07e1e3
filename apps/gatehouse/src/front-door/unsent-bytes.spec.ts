import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { onceEnded } from '@gatehouse/nest-kit/http';
import { eventually, listenOnLoopback } from '@gatehouse/testing';
import { pino } from 'pino';
import { UnsentBytes } from './unsent-bytes.js';

const MEBIBYTE = 1024 * 1024;
/** Far more than the system takes from a process for a client. */
const ANSWER = Buffer.alloc(32 * MEBIBYTE, 'x');
const LOG = 'a client that does not read was cut off';

let nowMs: number;
let checks: number;
let budgetBytes: number;
let lines: { msg: string; level: number; client: string }[];
let server: Server;
let port: number;
let responses: ServerResponse[];
let clients: Socket[];

beforeEach(() => {
  nowMs = 5_000;
  checks = 0;
  lines = [];
  responses = [];
  clients = [];
  budgetBytes = Infinity;
});
afterEach(async () => {
  for (const client of clients) client.destroy();
  await new Promise((resolve) => server.close(resolve));
});

/** Answers requests for / at once, and others not at all. */
async function start(): Promise<void> {
  const logger = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const unsent = new UnsentBytes(logger, budgetBytes, () => {
    checks += 1;
    return nowMs;
  });
  server = createServer((request, response) => {
    const address = request.socket.remoteAddress as string;
    onceEnded(request, response, unsent.follow(response, address));
    responses.push(response);
    if (request.url === '/') response.end(ANSWER);
  });
  port = await listenOnLoopback(server);
}

/** Sends requests, and reads none of the answers. */
async function ask(address: string, ...paths: string[]): Promise<Socket> {
  const seen = responses.length;
  const client = connect({ port, host: '127.0.0.1', localAddress: address });
  clients.push(client);
  client.on('error', () => undefined).pause();
  client.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
  await eventually(() => expect(responses).toHaveLength(seen + paths.length));
  return client;
}

const isCut = ({ req }: ServerResponse) => req.socket.destroyed;

async function untilChecked(): Promise<void> {
  // The check that has begun may have seen less.
  const seen = checks;
  await eventually(() => expect(checks).toBeGreaterThan(seen + 1));
}

it('a client that reads slowly but steadily gets its whole answer', async () => {
  await start();
  const client = await ask('127.0.0.1', '/');
  let received = 0;
  let wanted = 0;
  client.on('data', (chunk) => {
    received += chunk.length;
    if (received >= wanted) client.pause();
  });
  client.pause();
  while (wanted < ANSWER.length) {
    await untilChecked();
    nowMs += 14_000;
    wanted += 8 * MEBIBYTE;
    client.resume();
    await eventually(() =>
      expect(received).toBeGreaterThanOrEqual(Math.min(wanted, ANSWER.length)),
    );
  }
  expect(received).toBeGreaterThan(ANSWER.length);
  expect(lines).toEqual([]);
});

it('a client that does not read for 15 s is cut off, and one that waits for its answer is not', async () => {
  await start();
  await ask('127.0.0.1', '/');
  await ask('127.0.0.1', '/held', '/');
  const [first, ...waiting] = responses as [ServerResponse, ...ServerResponse[]];
  await untilChecked();
  nowMs += 14_999;
  await untilChecked();
  expect(isCut(first)).toBe(false);
  nowMs += 1;
  await eventually(() => expect(isCut(first)).toBe(true));
  expect(waiting.some(isCut)).toBe(false);
  expect(lines).toEqual([expect.objectContaining({ level: 40, client: '127.0.0.1', msg: LOG })]);
});

it('beyond the budget the heaviest client is cut off, and another keeps its answer', async () => {
  budgetBytes = 2.5 * ANSWER.length;
  await start();
  const other = await ask('127.0.0.2', '/');
  await ask('127.0.0.1', '/');
  await untilChecked();
  expect(responses.some(isCut)).toBe(false);
  await ask('127.0.0.1', '/held');
  await ask('127.0.0.1', '/');
  const [kept, ...heaviest] = responses as [ServerResponse, ...ServerResponse[]];
  await eventually(() => expect(heaviest.filter(isCut)).toHaveLength(1));
  await untilChecked();
  expect(heaviest.map(isCut)).toEqual([true, false, false]);
  other.resume();
  await once(kept, 'finish');
});

it('answers that wait for others of their connection count', async () => {
  budgetBytes = 1.5 * ANSWER.length;
  await start();
  await ask('127.0.0.2', '/');
  await untilChecked();
  await ask('127.0.0.1', '/held', '/', '/');
  const [kept, ...pipelined] = responses as [ServerResponse, ...ServerResponse[]];
  await eventually(() => expect(pipelined.every(isCut)).toBe(true));
  expect(isCut(kept)).toBe(false);
});

it('many connections that are cut at once are logged once a second', async () => {
  budgetBytes = 0;
  await start();
  for (let n = 0; n < 3; n++) await ask('127.0.0.1', '/');
  await eventually(() => expect(responses.every(isCut)).toBe(true));
  expect(lines).toHaveLength(1);
  nowMs += 1_000;
  await ask('127.0.0.1', '/');
  await eventually(() => expect(lines).toHaveLength(2));
});

it('nothing is checked while there are no responses', async () => {
  await start();
  const clear = jest.spyOn(globalThis, 'clearInterval');
  for (const times of [1, 2]) {
    const client = await ask('127.0.0.1', '/');
    await untilChecked();
    client.resume();
    await eventually(() => expect(clear).toHaveBeenCalledTimes(times));
  }
  clear.mockRestore();
});
