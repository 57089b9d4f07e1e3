// @ts-check
// Load for HTTP rows: wrk where it is installed (it needs least of its core), else autocannon.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pinned } from './cores.mjs';
import { cpuMicros } from './servers.mjs';
import { wrkScript } from './wrk-script.mjs';

/** `{{n}}` becomes this number and then the next ones: always 12 digits. */
let nextNumber = 100_000_000_000;
const NUMBERS_PER_ROUND = 100_000_000;
const PLACEHOLDER = '{{n}}';

/** @returns {'wrk' | 'autocannon'} */
export function findGenerator() {
  const { error } = spawnSync('wrk', ['--version'], { stdio: 'ignore' });
  return error === undefined ? 'wrk' : 'autocannon';
}

/**
 * One round of load against a server.
 *
 * @param {string} url
 * @param {import('./types.mjs').Load} load
 * @param {object} options
 * @param {'wrk' | 'autocannon'} options.generator
 * @param {number} options.seconds
 * @param {number} options.connections
 * @param {number | undefined} options.core
 * @param {number} options.perRequest
 * @param {number} options.pid of the server, whose processor time is read
 * @param {string} options.root
 * @returns {Promise<import('./types.mjs').Round>}
 * @throws when any answer was an error, or none came
 */
export async function runLoad(url, load, options) {
  const { generator, seconds, connections, core, perRequest, pid, root } = options;
  const startNumber = nextNumber;
  nextNumber += NUMBERS_PER_ROUND;
  const folder = join(root, '.local', 'bench');
  mkdirSync(folder, { recursive: true });

  /** @type {[string, string[]]} */
  let command;
  if (generator === 'wrk') {
    const script = join(folder, `load-${process.pid}.lua`);
    writeFileSync(script, wrkScript(load.requests, startNumber));
    const args = ['-t', '1', '-c', String(connections), '-d', `${seconds}s`, '--timeout', '10s'];
    command = pinned(core, 'wrk', [...args, '-s', script, url]);
  } else {
    const job = join(folder, `load-${process.pid}.json`);
    const { requests } = load;
    writeFileSync(job, JSON.stringify({ url, requests, seconds, connections, startNumber }));
    const runner = fileURLToPath(new URL('autocannon-runner.mjs', import.meta.url));
    command = pinned(core, process.execPath, [runner, job]);
  }

  const cpuBefore = cpuMicros(pid);
  const output = await run(...command);
  const cpuAfter = cpuMicros(pid);
  const line = output.split('\n').find((text) => text.startsWith('{'));
  if (line === undefined) throw new Error(`${generator} gave no result:\n${output}`);
  /** @type {{ requests: number, durationMs: number, p50Ms: number, p99Ms: number, errors: number, badStatuses: number }} */
  const result = JSON.parse(line);
  if (result.requests === 0 || result.errors > 0 || result.badStatuses > 0) {
    throw new Error(
      `of ${result.requests} answers ${result.badStatuses} had an error status and ${result.errors} failed on the way`,
    );
  }
  const units = result.requests * perRequest;
  const cpu = cpuBefore === undefined || cpuAfter === undefined ? undefined : cpuAfter - cpuBefore;
  return {
    ratePerSecond: (units * 1_000) / result.durationMs,
    cpuMicrosPerUnit: cpu === undefined ? undefined : cpu / units,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
  };
}

/**
 * Sends every request of the list once and checks each answer.
 *
 * @param {string} url
 * @param {import('./types.mjs').Load} load
 * @param {string} who for the message of an error
 * @returns {Promise<import('./types.mjs').Answer>} the first answer
 */
export async function checkAnswers(url, load, who) {
  /** @type {import('./types.mjs').Answer | undefined} */
  let first;
  for (const request of load.requests) {
    const number = String(nextNumber++);
    const { method, headers } = request;
    const path = request.path.replaceAll(PLACEHOLDER, number);
    const body = request.body?.replaceAll(PLACEHOLDER, number);
    const response = await fetch(url + path, { method, headers, body, redirect: 'manual' });
    const answer = {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await response.text(),
    };
    try {
      load.check(answer);
    } catch (error) {
      const seen = `${answer.status} ${answer.body.slice(0, 500)}`;
      throw new Error(`${who} answered ${method} ${path} wrongly, with ${seen}`, { cause: error });
    }
    first ??= answer;
  }
  if (first === undefined) throw new Error(`${who} was given no request to send`);
  return first;
}

/**
 * @param {string} command
 * @param {string[]} args
 * @returns {Promise<string>}
 */
function run(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk) => (output += String(chunk)));
    child.stderr.on('data', (chunk) => (output += String(chunk)));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(output);
      else reject(new Error(`${command} ${args.join(' ')} ended with ${code}:\n${output}`));
    });
  });
}
