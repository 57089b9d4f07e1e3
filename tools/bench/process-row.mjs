// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { pinned } from './cores.mjs';
import { compare, summarise } from './statistics.mjs';

const RUNNER = fileURLToPath(new URL('process-runner.mjs', import.meta.url));

/**
 * Runs both sides as child processes that live through all rounds, one at a time at work.
 *
 * @param {import('./types.mjs').ProcessRow} row
 * @param {import('./types.mjs').BenchContext} context
 * @param {import('./types.mjs').BenchOptions & { cores: import('./cores.mjs').Cores }} options
 * @returns {Promise<import('./types.mjs').RowResult>}
 */
export async function runProcessRow(row, context, options) {
  /** @type {{ side: import('./types.mjs').ProcessSide, child: ReturnType<typeof startRunner>, rounds: import('./types.mjs').Round[] }[]} */
  const running = [];
  try {
    for (const side of [row.floor, row.subject]) {
      if (side === undefined) continue;
      const child = startRunner(side, context, options.cores?.server, options.profile);
      running.push({ side, child, rounds: [] });
      await child.ask({
        task: 'prepare',
        script: join(context.root, side.script),
        context: {
          redisUrl: context.redisUrl,
          redisNamespace: context.redisNamespace,
          peersDir: context.peersDir,
          state: context.state,
          options: typeof side.options === 'function' ? await side.options(context) : side.options,
        },
      });
    }
    const concurrency = row.concurrency ?? 1;
    for (const { child } of running) {
      await child.ask({ task: 'run', milliseconds: options.warmupSeconds * 1_000, concurrency });
    }
    for (let round = 0; round < options.rounds; round += 1) {
      for (const { child, rounds } of running) {
        const task = { task: 'run', milliseconds: options.seconds * 1_000, concurrency };
        const result = /** @type {import('./types.mjs').Round} */ (await child.ask(task));
        const units = row.perRequest ?? 1;
        rounds.push({
          ...result,
          ratePerSecond: result.ratePerSecond * units,
          cpuMicrosPerUnit: (result.cpuMicrosPerUnit ?? 0) / units,
        });
      }
    }
    for (const { child } of running) await child.ask({ task: 'check' });

    const [subject, floor] = [...running].reverse();
    if (subject === undefined) throw new Error('a row needs a subject');
    return compare(
      row,
      summarise(subject.side.name, subject.rounds),
      floor && summarise(floor.side.name, floor.rounds),
    );
  } finally {
    await Promise.all(running.map(({ child }) => child.stop()));
  }
}

/**
 * @param {import('./types.mjs').ProcessSide} side
 * @param {import('./types.mjs').BenchContext} context
 * @param {number | undefined} core
 * @param {boolean} profile
 */
function startRunner(side, context, core, profile) {
  const profileArgs = profile
    ? ['--cpu-prof', `--cpu-prof-dir=${join(context.root, '.local', 'bench', 'profiles')}`]
    : [];
  const [command, args] = pinned(core, process.execPath, [
    ...profileArgs,
    ...(side.nodeArgs ?? []),
    RUNNER,
  ]);
  const child = spawn(command, args, {
    cwd: context.root,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
  });
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`${side.name} ended early (${code ?? signal})`);
  });
  ended.catch(() => undefined);
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    if (child.connected) child.disconnect();
    const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
    await ended.catch(() => undefined);
    clearTimeout(timer);
  };
  context.onClose(stop);
  return {
    stop,
    /**
     * @param {object} task
     * @returns {Promise<unknown>}
     */
    async ask(task) {
      child.send(task);
      const [answer] = await Promise.race([once(child, 'message'), ended]);
      if (answer.error !== undefined) throw new Error(`${side.name}: ${answer.error}`);
      return answer.result;
    },
  };
}
