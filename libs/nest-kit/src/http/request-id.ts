import { randomUUID } from 'node:crypto';
import { type IncomingMessage } from 'node:http';

const USABLE = /^[\x21-\x7e]{1,128}$/;

/** Unique for each process; a counter makes the id unique within the process. */
const processId = randomUUID();
let counter = 0;

export const REQUEST_ID_HEADER = 'x-request-id';

/** The caller's `X-Request-ID` if it is 1 to 128 visible ASCII characters, otherwise a new id. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers[REQUEST_ID_HEADER];
  if (typeof given === 'string' && USABLE.test(given)) return given;
  return newRequestId();
}

/** A unique request id. */
export function newRequestId(): string {
  return `${processId}-${++counter}`;
}
