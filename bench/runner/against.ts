/**
 * `--against <folder>`: runs the subject of each row beside the same subject of another checkout, to
 * show whether a change made something slower. It uses the benchmarks and `createContext` of that
 * checkout, which fill its databases, run its migrations and start its services.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { StackFault } from '#local-stack/fault.mjs';
import { type createContext } from './context.js';
import { importModule } from './modules.js';
import { type OtherRow } from './rows.js';
import { type BenchContext, type Benchmark, type Row } from './types.js';

/** Below this ratio a row counts as slower. The noise of a quiet machine is smaller. */
const RATIO_MIN = 0.97;

export interface OtherCheckout {
  /** The row of the other checkout with this name, if it has one. */
  find: (row: Row) => OtherRow | undefined;
  close: () => Promise<void>;
}

export async function openOther(
  folder: string,
  options: Omit<Parameters<typeof createContext>[0], 'root'>,
): Promise<OtherCheckout> {
  const root = resolve(folder);
  build(root);
  const { benchmark } = await importModule<{ benchmark: Benchmark }>(
    root,
    `bench/${options.name}/benchmark`,
  );
  const module = await importModule<{ createContext: typeof createContext }>(
    root,
    // Where checkouts before 0.1 have it.
    existsSync(join(root, 'bench', 'runner')) ? 'bench/runner/context' : 'tools/bench/context',
  );
  const { context, close } = module.createContext({ root, ...options });
  return { find: (row) => findRow(benchmark, row, context), close };
}

/** The row with the ratio to the other checkout as its aim. */
export function rowAgainst(row: Row): Row {
  return { ...row, aim: row.kind === 'measure' ? row.aim : { ratio: RATIO_MIN } };
}

function findRow(benchmark: Benchmark, row: Row, context: BenchContext): OtherRow | undefined {
  const found = benchmark.rows.find(({ kind, name }) => kind === row.kind && name === row.name);
  return found && { row: found, context };
}

function build(root: string): void {
  process.stderr.write(`Building ${root} ...\n`);
  const { status, stdout, error } = spawnSync('npm', ['run', 'build'], {
    cwd: root,
    env: { ...process.env, NX_DAEMON: 'false' },
    encoding: 'utf8',
  });
  if (status === 0) return;
  throw new StackFault(
    `The build of ${root} failed: ${error?.message ?? stdout}`,
    `Install its packages first: cd ${root} && npm ci`,
  );
}
