/** A separate process, so that it can be pinned: `node autocannon-runner.js <job.json>`. */
import { readFileSync } from 'node:fs';
import autocannon, { type Request } from 'autocannon';
import { type LoadReport, PLACEHOLDER } from './load.js';
import { type LoadRequest } from './types.js';

const job = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as {
  url: string;
  requests: LoadRequest[];
  seconds: number;
  connections: number;
  startNumber: number;
};
let number = job.startNumber;

const result = await autocannon({
  url: job.url,
  connections: job.connections,
  duration: job.seconds,
  timeout: 10,
  requests: job.requests.map(requestOf),
});

const report: LoadReport = {
  requests: result.requests.total,
  durationMs: result.duration * 1_000,
  p50Ms: result.latency.p50,
  p99Ms: result.latency.p99,
  errors: result.errors + result.timeouts,
  badStatuses: result['4xx'] + result['5xx'],
};
process.stdout.write(`${JSON.stringify(report)}\n`);

function requestOf({ method, path, headers, body }: LoadRequest): Request {
  const template: Request = { method: method as 'GET', path, headers, body };
  if (!`${path}${body ?? ''}`.includes(PLACEHOLDER)) return template;
  return {
    ...template,
    setupRequest: (current) => {
      number += 1;
      return {
        ...current,
        path: path.replaceAll(PLACEHOLDER, String(number)),
        body: body?.replaceAll(PLACEHOLDER, String(number)),
      };
    },
  };
}
