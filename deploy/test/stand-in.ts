// Servers that replace a service in tests of the gateway, and a client that sends exact requests.
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as httpRequest,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { until } from '#local-stack/until.mjs';

export interface StandIn {
  port: number;
  close(): void;
}

export interface Received {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- JSON of a stand-in, or text
  body: any;
}

export type Send = (
  path: string,
  options?: { method?: string; headers?: Record<string, string>; body?: string },
) => Promise<Received>;

/**
 * A server that answers with the request that reached it.
 * @param answer answers by itself the requests for which it returns true
 */
export async function startStandIn(
  service: string,
  answer: (request: IncomingMessage, response: ServerResponse) => boolean = () => false,
): Promise<StandIn> {
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      if (answer(request, response)) return;
      const { url, method, headers } = request;
      response.setHeader('X-Request-ID', headers['x-request-id'] ?? '');
      response.end(JSON.stringify({ service, url, method, headers }));
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { port, close };
}

/** Uses node:http, because fetch refuses to send some of these headers. */
export function sender(port: number): Send {
  return (path, { method = 'GET', headers = {}, body } = {}) =>
    new Promise((resolve, reject) => {
      const request = httpRequest(
        { port, host: '127.0.0.1', path, method, headers },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
          response.on('end', () => {
            const { statusCode: status } = response;
            const body: unknown = text.startsWith('{') ? JSON.parse(text) : text;
            resolve({ status, headers: response.headers, body });
          });
        },
      );
      request.on('error', reject);
      request.end(body);
    });
}

/** Sends these bytes, and resolves to all that comes back before the connection ends. */
export function exchange(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
    socket.on('error', reject).on('close', () => resolve(received));
  });
}

export async function untilAnswers(send: Send): Promise<void> {
  const answers = () =>
    send('/health').then(
      () => true,
      () => false,
    );
  if (!(await until(answers, { timeoutMs: 10_000 }))) throw new Error('nginx does not answer');
}
