import { createServer, type Server, type ServerOptions } from 'node:http';
import { listenOnLoopback } from '@gatehouse/testing';
import { exchange, statusesIn } from '../../test/raw-exchange.js';
import { clientErrorAnswer } from './client-errors.js';
import { RequestSteps } from './request-steps.js';

const servers: Server[] = [];
const steps = new RequestSteps({ headers: ['x-secure', 'yes'], observers: [] });
const start = async (options: ServerOptions = {}): Promise<number> => {
  const server = createServer(options, (request, response) => {
    if (request.url === '/slow') response.write('half of it');
    else response.end('whole');
  });
  const body = ({ code, httpStatus }: { code: string; httpStatus: number }, id: string) => ({
    code,
    httpStatus,
    id,
  });
  server.on('clientError', clientErrorAnswer({ mediaType: 'application/json', body }, steps));
  servers.push(server);
  return listenOnLoopback(server);
};
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

describe('clientErrorAnswer', () => {
  it.each([
    ['no HTTP', 'NONSENSE\r\n\r\n', 400, 'INVALID_ARGUMENT'],
    [
      'both framings',
      `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
      400,
      'INVALID_ARGUMENT',
    ],
    [
      'headers over the limit',
      `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'HEADER_TOO_LARGE',
    ],
    [
      'headers far over the limit',
      `GET / HTTP/1.1\r\nX: ${'x'.repeat(3_000_000)}\r\n\r\n`,
      431,
      'HEADER_TOO_LARGE',
    ],
  ])('%s: the error body, an id, the headers, and the end', async (_, text, status, code) => {
    const port = await start();
    const { received } = await exchange(port, (socket) => {
      socket.pause();
      socket.write(text, () => socket.resume());
    });
    expect(statusesIn(received)).toEqual([status]);
    const [head = '', body = ''] = received.split('\r\n\r\n');
    expect(head).toMatch(/\r\nx-secure: yes\r\n/);
    expect(head).toMatch(/\r\nx-request-id: [\x21-\x7e]+\r\n/);
    expect(head).toMatch(/\r\nconnection: close\r\n/);
    expect(JSON.parse(body)).toMatchObject({ code, httpStatus: status });
  });

  it('a request that takes too long to arrive: 408 with the error body', async () => {
    const port = await start({ requestTimeout: 100, connectionsCheckingInterval: 20 });
    const text = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Le';
    const { received } = await exchange(port, (socket) => socket.write(text));
    expect(statusesIn(received)).toEqual([408]);
    expect(received).toContain('"code":"REQUEST_TIMEOUT"');
  });

  it('never writes into another response', async () => {
    const port = await start();
    const text = 'GET /slow HTTP/1.1\r\nHost: x\r\n\r\n';
    const { received } = await exchange(port, (socket) => {
      socket.write(text);
      socket.once('data', () => socket.write('NONSENSE\r\n\r\n'));
    });
    expect(statusesIn(received)).toEqual([200]);
  });
});
