/**
 * Answers requests that Node's HTTP parser refuses: broken syntax, headers over the limit, a request
 * that takes too long to arrive. The answer has the form of every other error of the service.
 */
import { type ServerResponse, STATUS_CODES } from 'node:http';
import { type Socket } from 'node:net';
import { DomainError } from '../errors/domain-error.js';
import type { ErrorProtocol } from '../errors/error-protocol.js';
import { KitErrors } from '../errors/kit.errors.js';
import { newRequestId } from './request-id.js';

const LINGER_MS = 1_000;

/**
 * Makes the handler of the server's `clientError` event. It closes the connection, since the start
 * of the next request is unknown. A client that is still sending has a second to read the answer;
 * closing at once would reset the connection and lose it.
 *
 * @param headers names and values that every answer carries
 */
export function clientErrorAnswer(
  { body, mediaType }: ErrorProtocol,
  headers: Readonly<Record<string, string>>,
): (error: NodeJS.ErrnoException, socket: Socket) => void {
  const closing = new WeakSet<Socket>();
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || socket.destroyed || closing.has(socket)) return;
    closing.add(socket);
    if (!socket.writable || isAnswered(socket)) {
      socket.destroy();
      return;
    }
    const fault = faultOf(error.code);
    const id = newRequestId();
    const all = { ...headers, 'content-type': mediaType, 'x-request-id': id };
    socket.end(answer(fault.httpStatus, all, JSON.stringify(body(fault, id))));
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}

/** Whether an answer is being sent already; a second one would corrupt it. */
function isAnswered(socket: Socket & { _httpMessage?: ServerResponse | null }): boolean {
  return socket._httpMessage?.headersSent ?? false;
}

function faultOf(code: string | undefined): DomainError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new DomainError(KitErrors.HEADER_TOO_LARGE);
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new DomainError(KitErrors.REQUEST_TIMEOUT);
    default:
      return new DomainError(KitErrors.INVALID_ARGUMENT, {
        message: 'The request is no valid HTTP.',
      });
  }
}

function answer(status: number, headers: Readonly<Record<string, string>>, body: string): string {
  const all = { ...headers, connection: 'close', 'content-length': Buffer.byteLength(body) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}
