// @ts-check
// Servers that stand in for a service, and a client that sends exactly what it is told.
import { createServer, request as httpRequest } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * A server that answers with what reached it.
 *
 * @param {string} service
 * @param {(request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => boolean} [first] answers by itself what it returns true for
 */
export async function startStandIn(service, first = () => false) {
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      if (first(request, response)) return;
      const { url, method, headers } = request;
      response.setHeader('X-Request-ID', headers['x-request-id'] ?? '');
      response.end(JSON.stringify({ service, url, method, headers }));
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { port, close };
}

/**
 * @typedef {{ status: number | undefined, headers: import('node:http').IncomingHttpHeaders, body: any }} Seen
 * @typedef {(path: string, options?: { method?: string, headers?: Record<string, string>, body?: string }) => Promise<Seen>} Send
 */

/**
 * node:http, because fetch would not send some of these headers.
 *
 * @param {number} port
 * @returns {Send}
 */
export function sender(port) {
  return (path, { method = 'GET', headers = {}, body } = {}) =>
    new Promise((resolve, reject) => {
      const request = httpRequest(
        { port, host: '127.0.0.1', path, method, headers },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
          response.on('end', () => {
            const isJson = text.startsWith('{');
            const { statusCode: status } = response;
            resolve({ status, headers: response.headers, body: isJson ? JSON.parse(text) : text });
          });
        },
      );
      request.on('error', reject);
      request.end(body);
    });
}

/** @param {Send} send */
export async function untilAnswers(send) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await send('/health');
    } catch (error) {
      if (attempt >= 100) throw error;
      await delay(50);
    }
  }
}
