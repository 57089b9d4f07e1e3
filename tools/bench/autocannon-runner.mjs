// @ts-check
// Run as a process of its own, so that it can be pinned: `node autocannon-runner.mjs <job.json>`.
import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';

const PLACEHOLDER = '{{n}}';

/** @type {{ url: string, requests: import('./types.mjs').LoadRequest[], seconds: number, connections: number, startNumber: number }} */
const job = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
let number = job.startNumber;

const requests = job.requests.map((request) => {
  const template = {
    method: /** @type {'GET'} */ (request.method),
    path: request.path,
    headers: request.headers,
    body: request.body,
  };
  if (!`${request.path}${request.body ?? ''}`.includes(PLACEHOLDER)) return template;
  return {
    ...template,
    /** @param {import('autocannon').Request} current */
    setupRequest: (current) => {
      number += 1;
      return {
        ...current,
        path: request.path.replaceAll(PLACEHOLDER, String(number)),
        body: request.body?.replaceAll(PLACEHOLDER, String(number)),
      };
    },
  };
});

const result = await autocannon({
  url: job.url,
  connections: job.connections,
  duration: job.seconds,
  timeout: 10,
  requests,
});

process.stdout.write(
  `${JSON.stringify({
    requests: result.requests.total,
    durationMs: result.duration * 1_000,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    errors: result.errors + result.timeouts,
    badStatuses: result['4xx'] + result['5xx'],
  })}\n`,
);
