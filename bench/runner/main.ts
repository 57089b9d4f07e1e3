/**
 * `npm run bench -- <name>`: measures the rows of bench/<name>/benchmark.ts, floor and subject in
 * turn, and prints rates, latencies and ratios. bench/README.md describes the entries.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildProjects } from '#local-stack/build.mjs';
import { Interrupted, StackFault } from '#local-stack/fault.mjs';
import { listenForInterruption, untilAborted } from '#local-stack/interruption.mjs';
import { makeFolders, stackLayout, workspace } from '#local-stack/layout.mjs';
import { IMAGE_NODE } from '#local-stack/node-program.mjs';
import { readOptions, wholeNumber } from '#local-stack/options.mjs';
import { runAll, writePage } from './all.js';
import { isNode, runWithNode } from './node-version.js';
import { runBenchmark, SECONDS, WARMUP_SECONDS } from './run.js';
import { type BenchOptions } from './types.js';

const NAMES = readdirSync(join(workspace, 'bench')).filter((name) =>
  existsSync(join(workspace, 'bench', name, 'benchmark.ts')),
);
/** In place of a name. */
const ALL = 'all';
const USAGE = `npm run bench -- <name>|all [options]

  all                every benchmark, with docs/performance.md as the result

  --rounds N         rounds of each side, in turn (3)
  --seconds N        length of a round (${SECONDS}, or the benchmark's own)
  --warmup N         seconds of load before the first round (${WARMUP_SECONDS}, or the benchmark's own)
  --connections N    instead of the entry's own number
  --only TEXT        only rows whose name contains the text
  --against FOLDER   compare with the same rows of another checkout instead of the floor
  --quick            one round of one second, to see whether it runs
  --strict           exit with 1 when an aim is missed
  --keep             keep the databases
  --page             write the result to its section of docs/performance.md
  --node N           with another major version of Node.js than the image (${IMAGE_NODE})
  --profile          write a CPU profile of the subject to .local/bench/profiles/

Names: ${NAMES.join(', ')}`;

export async function main(args: string[]): Promise<number> {
  const { name, node, isPage, options } = readArguments(args);
  const interruption = listenForInterruption();
  const { signal } = interruption;
  const interrupted = untilAborted(signal).then(() => {
    throw new Interrupted();
  });
  interrupted.catch(() => undefined);
  try {
    const layout = stackLayout();
    makeFolders(layout);
    if (!isNode(node)) return await runWithNode(node, args, { layout, signal });
    process.stderr.write('Building ...\n');
    await buildProjects(layout, { note: () => {}, signal });
    const how = { interrupted, signal };
    const rows =
      name === ALL ? await runAll(NAMES, options, how) : await runBenchmark(name, options, how);
    if (isPage && name !== ALL) writePage(name);
    const isMissed = rows.some(({ reached }) => reached === false);
    return options.strict && isMissed ? 1 : 0;
  } finally {
    interruption.dispose();
  }
}

interface Arguments {
  name: string;
  node: string;
  isPage: boolean;
  options: BenchOptions;
}

function readArguments(args: string[]): Arguments {
  const { values, positionals } = readOptions(
    args,
    {
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string' },
      warmup: { type: 'string' },
      connections: { type: 'string' },
      only: { type: 'string' },
      against: { type: 'string' },
      quick: { type: 'boolean', default: false },
      strict: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      page: { type: 'boolean', default: false },
      node: { type: 'string', default: IMAGE_NODE },
      profile: { type: 'boolean', default: false },
    },
    { usage: USAGE, positionals: 1 },
  );
  const [name = ''] = positionals;
  if (name !== ALL && !NAMES.includes(name)) {
    const fault = name === '' ? 'Name a benchmark' : `There is no benchmark "${name}"`;
    throw new StackFault(fault, `Usage: ${USAGE}`, 2);
  }
  const { node, page: isPage, quick, connections, rounds, seconds, warmup, ...rest } = values;
  if (isPage && (rest.only !== undefined || rest.against !== undefined)) {
    throw new StackFault('--page takes neither --only nor --against', 'A section has all rows.', 2);
  }
  return {
    name,
    node: String(wholeNumber('--node', node, 20)),
    isPage,
    options: {
      ...rest,
      rounds: quick ? 1 : wholeNumber('--rounds', rounds, 1),
      seconds: quick ? 1 : given('--seconds', seconds),
      warmupSeconds: quick ? 1 : given('--warmup', warmup),
      connections: given('--connections', connections),
    },
  };
}

function given(option: string, value: string | undefined): number | undefined {
  return value === undefined ? undefined : wholeNumber(option, value, 1);
}
