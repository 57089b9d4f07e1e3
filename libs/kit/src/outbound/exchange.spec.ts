import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { Agent } from 'undici';
import { exchange } from './exchange.js';

const OK = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
/** One byte, in a chunk whose extension fills a buffer of the socket. */
const PADDED_CHUNK = `1;pad=${'x'.repeat(15_000)}\r\na\r\n`;

let server: Server;
let agent: Agent;
let answer: (socket: Socket) => void;

beforeAll(async () => {
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => answer(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  agent = new Agent();
});
afterAll(async () => {
  await agent.destroy();
  server.close();
});

const post = (timeoutMs = 5_000, signal?: AbortSignal) => {
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const request = { origin, path: '/', method: 'POST', body: '{}' } as const;
  return exchange(agent, request, { timeoutMs, bytesMax: 64 * 1024, signal });
};

/** Writes a text again and again until the client closes the connection. */
function flood(socket: Socket, text: string): void {
  if (socket.destroyed) return;
  if (socket.write(text)) setImmediate(flood, socket, text);
  else socket.once('drain', () => flood(socket, text));
}

it('reads a response that comes in pieces', async () => {
  answer = (socket) => socket.end(`${OK}2\r\nab\r\n1\r\nc\r\n0\r\n\r\n`);
  expect(await post()).toMatchObject({ status: 200, text: 'abc', isCut: false });
});

it('reads no more of a response that comes in very many pieces', async () => {
  answer = (socket) => {
    socket.write(OK);
    flood(socket, PADDED_CHUNK);
  };
  expect(await post()).toMatchObject({ status: 200, text: 'a'.repeat(1_024), isCut: true });
});

it('does not read informational responses forever', async () => {
  answer = (socket) => flood(socket, 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n');
  await expect(post()).rejects.toThrow('too many informational responses');
});

it('accepts a response after an informational one', async () => {
  answer = (socket) =>
    socket.end('HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n');
  expect(await post()).toMatchObject({ status: 204, text: '' });
});

it('ends when its time is over, before or after the head', async () => {
  for (const start of ['', OK]) {
    answer = (socket) => socket.write(start);
    await expect(post(100)).rejects.toThrow('no answer within 100 ms');
  }
});

it('ends when its signal is aborted, before or after the head', async () => {
  for (const start of ['', OK]) {
    const reason = new Error('stopped');
    const abort = new AbortController();
    answer = (socket) => {
      if (start !== '') socket.write(start);
      abort.abort(reason);
    };
    await expect(post(5_000, abort.signal)).rejects.toBe(reason);
    await expect(post(5_000, abort.signal)).rejects.toBe(reason);
  }
});
