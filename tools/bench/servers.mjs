// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pinned } from './cores.mjs';

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 10_000;

/**
 * Starts one side of an HTTP row on a free port and waits until it answers 200 on `side.ready`.
 * Its output goes to `.local/bench/logs/`; the end of it is in the error when it does not start.
 *
 * @param {import('./types.mjs').HttpSide} side
 * @param {import('./types.mjs').BenchContext} context
 * @param {{ core: number | undefined, label: string, profile?: boolean }} options
 * @returns {Promise<import('./types.mjs').RunningServer>}
 */
export async function startServer(side, context, { core, label, profile = false }) {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const env = (await side.env?.(context)) ?? {};
  const logFile = join(context.root, '.local', 'bench', 'logs', `${fileName(label)}.log`);
  mkdirSync(dirname(logFile), { recursive: true });
  const log = createWriteStream(logFile);
  const profileArgs = profile
    ? ['--cpu-prof', `--cpu-prof-dir=${join(context.root, '.local', 'bench', 'profiles')}`]
    : [];
  const [command, args] = pinned(core, process.execPath, [
    ...profileArgs,
    ...(side.nodeArgs ?? []),
    join(context.root, side.script),
  ]);
  const child = spawn(command, args, {
    cwd: context.root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      HOST: '127.0.0.1',
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      ...env,
    },
  });
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  const exited = once(child, 'exit');
  /** @type {unknown} */
  let spawnError;
  child.on('error', (error) => (spawnError = error));

  const server = {
    url: `http://127.0.0.1:${port}`,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    pid: child.pid ?? 0,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
      await exited;
      clearTimeout(timer);
      log.end();
    },
  };
  context.onClose(server.stop);

  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await answersOk(server.url + side.ready))) {
    const ended = child.exitCode ?? child.signalCode ?? spawnError;
    if (ended != null || Date.now() > deadline) {
      await server.stop();
      const reason = ended == null ? 'was not ready within 60 s' : `ended early (${String(ended)})`;
      throw new Error(`${side.name} ${reason}; its log, ${logFile}, ends:\n${tail(logFile)}`);
    }
    await delay(50);
  }
  return server;
}

/** @returns {Promise<number>} a TCP port that was free a moment ago */
export async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}

/**
 * @param {number} pid
 * @returns {number} resident set size in bytes (Linux only)
 */
export function rssBytes(pid) {
  const kibibytes = /^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  if (kibibytes === undefined) throw new Error(`no VmRSS for process ${pid}`);
  return Number(kibibytes) * 1024;
}

/**
 * @param {number} pid
 * @returns {number | undefined} processor time that it has used, in microseconds (Linux only)
 */
export function cpuMicros(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name before may hold blanks; utime and stime are fields 14 and 15, in 1/100 s.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10_000;
  } catch {
    return undefined;
  }
}

/** @param {string} url */
async function answersOk(url) {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await answer.arrayBuffer();
    return answer.status === 200;
  } catch {
    return false;
  }
}

/** @param {string} label */
function fileName(label) {
  return label.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}

/** @param {string} path */
function tail(path) {
  return readFileSync(path, 'utf8').split('\n').slice(-15).join('\n');
}
