import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pinned } from './cores.js';
import { profileFlags, residentMb } from './servers.js';
import {
  type BenchContext,
  type ProcessSide,
  type Round,
  type RunningSide,
  type SideSettings,
} from './types.js';

const RUNNER = fileURLToPath(new URL('process-runner.js', import.meta.url));
const STOP_TIMEOUT_MS = 5_000;

/** Requests of the parent to process-runner.ts, in this order: prepare, run repeatedly, check. */
export type RunnerTask =
  | { task: 'prepare'; script: string; context: object }
  | { task: 'run'; milliseconds: number; concurrency: number }
  | { task: 'check' };
export type RunnerReply = { result?: unknown; error?: string };

/** Starts the child process of one side of an in-process row; it lives through all rounds. */
export async function startProcessSide(
  side: ProcessSide,
  context: BenchContext,
  { options, profile, connections: concurrency, perRequest: perCall }: SideSettings,
): Promise<RunningSide> {
  const [command, args] = pinned(options.cores?.server, process.execPath, [
    ...profileFlags(context.root, profile),
    RUNNER,
  ]);
  const child = spawn(command, args, {
    cwd: context.root,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
  });
  const exited = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`${side.name} exited early (${String(code ?? signal)})`);
  });
  exited.catch(() => undefined);
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    if (child.connected) child.disconnect();
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await exited.catch(() => undefined);
    clearTimeout(timer);
  };
  context.onClose(stop);
  const ask = async (task: RunnerTask) => {
    child.send(task);
    const [{ result, error }] = (await Promise.race([once(child, 'message'), exited])) as [
      RunnerReply,
    ];
    if (error !== undefined) throw new Error(`${side.name}: ${error}`);
    return result;
  };

  const sideOptions =
    typeof side.options === 'function'
      ? await (side.options as (context: BenchContext) => Promise<object>)(context)
      : side.options;
  await ask({
    task: 'prepare',
    script: join(context.root, side.script),
    context: { peersDir: context.peersDir, options: sideOptions },
  });
  return {
    run: async (seconds) => {
      const task = { task: 'run', milliseconds: seconds * 1_000, concurrency } as const;
      const { ratePerSecond, cpuMicrosPerUnit, ...latency } = (await ask(task)) as Round;
      return {
        ...latency,
        ratePerSecond: ratePerSecond * perCall,
        cpuMicrosPerUnit: cpuMicrosPerUnit && cpuMicrosPerUnit / perCall,
        residentMb: residentMb(child.pid ?? NaN),
      };
    },
    check: () => ask({ task: 'check' }),
    stop,
  };
}
