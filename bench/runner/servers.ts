import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '@gatehouse/testing';
import { pinned } from './cores.js';
import { type BenchContext, type HttpSide, type RunningServer } from './types.js';

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 10_000;

/**
 * Starts one side of an HTTP row on a free port and waits until `side.ready` answers 200. Its output
 * goes to `.local/bench/logs/`; when it does not start, the error quotes the end of it.
 */
export async function startServer(
  side: HttpSide,
  context: BenchContext,
  { core, label, profile = false }: { core?: number; label: string; profile?: boolean },
): Promise<RunningServer> {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const env = (await side.env?.(context)) ?? {};
  const fileName = `${label.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.log`;
  const logFile = join(context.root, '.local', 'bench', 'logs', fileName);
  mkdirSync(dirname(logFile), { recursive: true });
  const log = createWriteStream(logFile);
  const script = join(context.root, side.script);
  const [command, args] = pinned(core, process.execPath, [
    ...profileFlags(context.root, profile),
    script,
  ]);
  const child = spawn(command, args, {
    cwd: context.root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      HOST: '127.0.0.1',
      [side.portSetting ?? 'PORT']: String(port),
      METRICS_PORT: String(metricsPort),
      DRAIN_TIME: '0',
      ...env,
    },
  });
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  const exited = once(child, 'exit');
  let spawnError: Error | undefined;
  child.on('error', (error) => (spawnError = error));
  exited.catch(() => undefined);

  const server = {
    url: `http://127.0.0.1:${port}`,
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
  while (!(await isOk(server.url + side.ready))) {
    const end = spawnError?.message ?? child.exitCode ?? child.signalCode;
    if (end !== null || Date.now() > deadline) {
      if (spawnError === undefined) await server.stop();
      const reason = end === null ? 'was not ready within 60 s' : `exited early (${end})`;
      const tail = readFileSync(logFile, 'utf8').split('\n').slice(-15).join('\n');
      throw new Error(`${side.name} ${reason}; its log, ${logFile}, ends:\n${tail}`);
    }
    await delay(50);
  }
  return server;
}

/** Flags of node that write a CPU profile to `.local/bench/profiles/`. */
export function profileFlags(root: string, profile: boolean): string[] {
  return profile
    ? ['--cpu-prof', `--cpu-prof-dir=${join(root, '.local', 'bench', 'profiles')}`]
    : [];
}

/** Resident set size in bytes (Linux only). */
export function rssBytes(pid: number): number {
  const kibibytes = /^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  if (kibibytes === undefined) throw new Error(`no VmRSS for process ${pid}`);
  return Number(kibibytes) * 1024;
}

/** The same in MB; undefined on other systems. */
export function residentMb(pid: number): number | undefined {
  return process.platform === 'linux' ? rssBytes(pid) / 1e6 : undefined;
}

/** Processor time used so far, in microseconds (Linux only). */
export function cpuMicros(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program's name may contain spaces. utime and stime are fields 14 and 15, in 1/100 s.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10_000;
  } catch {
    return undefined;
  }
}

async function isOk(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false;
  }
}
