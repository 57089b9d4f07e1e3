// @ts-check
/**
 * `npm run bench -- <name>`: runs the rows of bench/<name>/benchmark.mjs, floor and subject in
 * turn, and prints rates, latencies and the ratio. bench/README.md describes the entries.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Interrupted, runMain, StackFault } from './local-stack/fault.mjs';
import { installPackages } from './local-stack/install.mjs';
import { listenForInterruption, untilAborted } from './local-stack/interruption.mjs';
import { makeFolders, stackLayout, workspace } from './local-stack/layout.mjs';
import { readOptions } from './local-stack/options.mjs';

const USAGE = `npm run bench -- <name> [options]

  --rounds N         rounds of each side, in turn (3)
  --seconds N        length of a round (5)
  --warmup N         seconds of load before the first round (2)
  --connections N    instead of what the entry says
  --only TEXT        rows whose name holds the text
  --quick            one round of one second: does it run at all?
  --strict           exit 1 when an aim is missed
  --keep             leave the databases
  --profile          write a CPU profile of the subject to .local/bench/profiles/

Names: ${names().join(', ')}`;

await runMain(async () => {
  const { name, options } = readArguments();
  const interruption = listenForInterruption();
  try {
    const layout = stackLayout();
    makeFolders(layout);
    const note = () => {};
    await installPackages(layout, { note, signal: interruption.signal });
    // Only now: it needs packages.
    const { runBenchmark } = await import('./bench/run.mjs');
    const interrupted = untilAborted(interruption.signal).then(() => {
      throw new Interrupted();
    });
    return await runBenchmark(name, options, { interrupted, signal: interruption.signal });
  } finally {
    interruption.dispose();
  }
});

function names() {
  return readdirSync(join(workspace, 'bench')).filter((name) =>
    existsSync(join(workspace, 'bench', name, 'benchmark.mjs')),
  );
}

/** @returns {{ name: string, options: import('./bench/types.mjs').BenchOptions }} */
function readArguments() {
  const { values, positionals } = readOptions(
    process.argv.slice(2),
    {
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '5' },
      warmup: { type: 'string', default: '2' },
      connections: { type: 'string' },
      only: { type: 'string' },
      quick: { type: 'boolean', default: false },
      strict: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
    },
    { usage: USAGE, positionals: 1 },
  );
  const [name] = positionals;
  if (name === undefined) throw new StackFault('Which benchmark?', `Usage: ${USAGE}`, 2);
  if (!names().includes(name)) {
    throw new StackFault(`There is no benchmark "${name}"`, `Usage: ${USAGE}`, 2);
  }
  const { quick, strict, keep, profile, only, connections } = values;
  return {
    name,
    options: {
      rounds: quick ? 1 : wholeNumber('--rounds', values.rounds),
      seconds: quick ? 1 : wholeNumber('--seconds', values.seconds),
      warmupSeconds: quick ? 1 : wholeNumber('--warmup', values.warmup),
      connections:
        connections === undefined ? undefined : wholeNumber('--connections', connections),
      only,
      strict,
      keep,
      profile,
    },
  };
}

/**
 * @param {string} flag
 * @param {string} text
 */
function wholeNumber(flag, text) {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1) return value;
  throw new StackFault(`${flag} takes a whole number from 1, not "${text}"`, undefined, 2);
}
