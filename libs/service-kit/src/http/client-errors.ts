/**
 * Answers what Node's HTTP parser refuses before there is a request: broken syntax, headers over
 * the limit. The answer looks as every other answer of the service does.
 */
import { STATUS_CODES } from 'node:http';
import { type Socket } from 'node:net';
import { DomainError } from '../errors/domain-error.js';
import { newRequestId } from './request-id.js';

/** Writes an error as the protocol of a service has it; the result is sent as JSON. */
export type ErrorBody = (error: DomainError, requestId: string) => object;

/**
 * Makes the handler of the server's `clientError` event. It closes the connection: where the next
 * request would begin cannot be told.
 *
 * @param headers names and values that every answer carries, its content-type among them
 */
export function clientErrorAnswer(
  errorBody: ErrorBody,
  headers: Readonly<Record<string, string>>,
): (error: NodeJS.ErrnoException, socket: Socket) => void {
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    if (socket.writable) {
      // A client that is too slow listens no more: the status is enough.
      if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') socket.write(answer(408, {}, ''));
      else socket.write(refusal(error, errorBody, headers));
    }
    socket.destroy();
  };
}

function refusal(
  error: NodeJS.ErrnoException,
  errorBody: ErrorBody,
  headers: Readonly<Record<string, string>>,
): string {
  const fault =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? new DomainError('header_too_large', 'HEADER_TOO_LARGE', 'The headers are too large.')
      : new DomainError('invalid_argument', 'INVALID_ARGUMENT', 'The request is no valid HTTP.');
  const id = newRequestId();
  const all = { ...headers, 'x-request-id': id };
  return answer(fault.httpStatus, all, JSON.stringify(errorBody(fault, id)));
}

function answer(status: number, headers: Readonly<Record<string, string>>, body: string): string {
  const all = { ...headers, connection: 'close', 'content-length': Buffer.byteLength(body) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}
