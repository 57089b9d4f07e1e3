import { randomUUID } from 'node:crypto';
import { type IncomingMessage } from 'node:http';
import { type RequestStep } from './request-steps.js';

const USABLE = /^[\x21-\x7e]{1,128}$/;

/** Unique for each process; a counter makes the id unique within the process. */
const processId = randomUUID();
let counter = 0;

/** Sends the id of the request on every response. */
export const REQUEST_ID_HEADER: RequestStep = {
  addHeaders(target, requestId) {
    target.header('x-request-id', requestId);
  },
};

/** The caller's `X-Request-ID` if it is 1 to 128 visible ASCII characters, otherwise a new id. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  if (typeof given === 'string' && USABLE.test(given)) return given;
  return newRequestId();
}

/** A unique request id. */
export function newRequestId(): string {
  return `${processId}-${++counter}`;
}
