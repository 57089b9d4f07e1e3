/** Load for HTTP rows, by autocannon in a process of its own. */
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pinned } from './cores.js';
import { cpuMicros, residentMb } from './servers.js';
import { type Load, type Round, type SampleResponse } from './types.js';

/** Placeholder in a path or a body for a number that is never used twice. */
export const PLACEHOLDER = '{{n}}';

/** Output of autocannon-runner.ts, as one line of JSON. */
export interface LoadReport {
  requests: number;
  durationMs: number;
  p50Ms: number;
  p99Ms: number;
  errors: number;
  badStatuses: number;
}

export interface LoadOptions {
  seconds: number;
  connections: number;
  core?: number;
  perRequest: number;
  /** The server's, to read its processor time. */
  pid: number;
  root: string;
}

const NUMBERS_PER_ROUND = 100_000_000;
/** The next number in place of `{{n}}`; always 12 digits. */
let nextNumber = 100_000_000_000;

/** Loads a server for one round. Throws when any response has an error status, or none arrives. */
export async function runLoad(url: string, load: Load, options: LoadOptions): Promise<Round> {
  const { perRequest, pid } = options;
  const cpuBefore = cpuMicros(pid);
  const output = await run(...commandOf(url, load, options));
  const cpuAfter = cpuMicros(pid);
  const line = output.split('\n').find((text) => text.startsWith('{'));
  if (line === undefined) throw new Error(`autocannon printed no result:\n${output}`);
  const result = JSON.parse(line) as LoadReport;
  if (result.requests === 0 || result.errors > 0 || result.badStatuses > 0) {
    throw new Error(
      `of ${result.requests} requests ${result.badStatuses} got an error status and ${result.errors} failed`,
    );
  }
  const units = result.requests * perRequest;
  return {
    ratePerSecond: (units * 1_000) / result.durationMs,
    cpuMicrosPerUnit:
      cpuBefore === undefined || cpuAfter === undefined
        ? undefined
        : (cpuAfter - cpuBefore) / units,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    residentMb: residentMb(pid),
  };
}

/** Sends every request once, checks each response and returns the first one. */
export async function checkResponses(
  url: string,
  load: Load,
  sideName: string,
): Promise<SampleResponse> {
  let first: SampleResponse | undefined;
  for (const { method, headers, ...request } of load.requests) {
    const number = String(nextNumber++);
    const path = request.path.replaceAll(PLACEHOLDER, number);
    const body = request.body?.replaceAll(PLACEHOLDER, number);
    const fetched = await fetch(url + path, { method, headers, body, redirect: 'manual' });
    const response = {
      status: fetched.status,
      headers: Object.fromEntries(fetched.headers),
      body: await fetched.text(),
    };
    try {
      load.check(response);
    } catch (error) {
      const seen = `${response.status} ${response.body.slice(0, 500)}`;
      throw new Error(`${sideName}: wrong response to ${method} ${path}: ${seen}`, {
        cause: error,
      });
    }
    first ??= response;
  }
  if (first === undefined) throw new Error(`${sideName} has no request to send`);
  return first;
}

function commandOf(url: string, load: Load, options: LoadOptions): [string, string[]] {
  const { seconds, connections, core, root } = options;
  const startNumber = nextNumber;
  nextNumber += NUMBERS_PER_ROUND;
  const folder = join(root, '.local', 'bench');
  mkdirSync(folder, { recursive: true });
  const job = join(folder, `load-${process.pid}.json`);
  const { requests } = load;
  writeFileSync(job, JSON.stringify({ url, requests, seconds, connections, startNumber }));
  const runner = fileURLToPath(new URL('autocannon-runner.js', import.meta.url));
  return pinned(core, process.execPath, [runner, job]);
}

function run(command: string, args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => (output += String(chunk)));
    }
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(output);
      else reject(new Error(`${command} ${args.join(' ')} exited with ${code}:\n${output}`));
    });
  });
}
