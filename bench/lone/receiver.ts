/** Answers every webhook with 200 and keeps when it arrived; the parent asks for a number of them. */
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { nowMs } from './clock.js';

export interface Arrival {
  /** The directory. */
  lane: number;
  /** The event. */
  n: number;
  atMs: number;
}

const TIMEOUT_MS = 60_000;
const USER = /"u(\d+)@bench\.example"/;

let arrivals: Arrival[] = [];
let answer = () => {};

const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => (body += String(chunk)));
  request.once('end', () => {
    const [lane, n] = [Number(request.url?.slice(1)), Number(USER.exec(body)?.[1])];
    arrivals.push({ lane, n, atMs: nowMs() });
    response.end();
    answer();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));

process.on('message', (count: number) => {
  const give = () => {
    clearTimeout(timer);
    answer = () => {};
    process.send?.(arrivals);
    arrivals = [];
  };
  const timer = setTimeout(give, TIMEOUT_MS);
  answer = () => {
    if (arrivals.length >= count) give();
  };
  answer();
});
process.once('disconnect', () => process.exit(0));
