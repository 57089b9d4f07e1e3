import { type IncomingMessage } from 'node:http';
import { uuidv7 } from '../database/uuid-v7.js';

const USABLE = /^[\x21-\x7e]{1,128}$/;

/** The caller's `X-Request-ID` when it is 1 to 128 visible ASCII characters, otherwise a new one. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && USABLE.test(given) ? given : uuidv7();
}
