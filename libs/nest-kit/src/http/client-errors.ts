/**
 * Responds to requests that Node's HTTP parser refuses: malformed syntax, headers over the limit, or
 * a request that takes too long to arrive. The body has the error format of the service.
 */
import { type ServerResponse, STATUS_CODES } from 'node:http';
import { type Socket } from 'node:net';
import { DomainError } from '@gatehouse/kit/errors';
import { type ErrorProtocol } from '../errors/error-protocol.js';
import { KitErrors } from '@gatehouse/kit/errors';
import { newRequestId, REQUEST_ID_HEADER } from './request-id.js';
import { type RequestSteps } from './request-steps.js';

const LINGER_MS = 1_000;

/**
 * Creates the handler of the server's `clientError` event. It closes the connection, because the
 * start of the next request is unknown. A client that is still sending has one second to read the
 * response; closing at once would reset the connection and lose it. Nothing is logged.
 */
export function clientErrorAnswer(
  { body, mediaType }: ErrorProtocol,
  steps: RequestSteps,
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
    const head = [REQUEST_ID_HEADER, id, ...steps.headers, 'content-type', mediaType];
    socket.end(answer(fault.httpStatus, head, JSON.stringify(body(fault, id))));
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}

/** Whether a response has been started; a second one would corrupt it. */
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
        message: 'The request is not valid HTTP.',
      });
  }
}

function answer(status: number, headers: readonly string[], body: string): string {
  const bytes = String(Buffer.byteLength(body));
  const all = [...headers, 'connection', 'close', 'content-length', bytes];
  const lines = all.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`));
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}
