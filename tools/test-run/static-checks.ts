import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { nxCommand } from '#local-stack/build.mjs';
import { runCommand } from '#local-stack/commands.mjs';
import { type Layout } from '#local-stack/layout.mjs';
import { type Pace } from './kinds.js';
import { type Tally } from './tally.js';

/** Each checks all files in one process. Formatting takes a third of the time, and editors do it. */
const FAST_TARGETS = ['lint-all', 'typecheck'];
const SLOW_TARGETS = ['format'];
const TARGETS: Readonly<Record<Pace, readonly string[]>> = {
  fast: FAST_TARGETS,
  slow: SLOW_TARGETS,
  all: [...FAST_TARGETS, ...SLOW_TARGETS],
};

/** Runs ESLint and TypeScript, Prettier, or all; Nx replays what has passed before. Each counts as one. */
export async function runStaticChecks(
  pace: Pace,
  { layout, signal, tally }: { layout: Layout; signal: AbortSignal; tally: Tally },
): Promise<string> {
  const targets = TARGETS[pace];
  const command = nxCommand([
    'run-many',
    '--projects=workspace',
    '-t',
    targets.join(),
    '--output-style=static',
  ]);
  const { code, endedBy, logFile } = await runCommand(layout, 'nx', command, { signal });
  const log = stripVTControlCharacters(readFileSync(logFile, 'utf8'));
  const [, summary = ''] = log.split('\nFailed tasks:\n');
  const failed = targets.filter((target) => summary.includes(`- workspace:${target}`));
  for (const target of targets) {
    if (failed.includes(target)) tally.fail(`npx nx run workspace:${target}`);
    else if (code === 0 || failed.length > 0) tally.pass();
  }
  if (code === 0) return `${targets.length} passed`;
  process.stdout.write(`\n${log}\n`);
  if (failed.length === 0) tally.fail(`Nx ended with ${code ?? endedBy}`);
  return `${failed.join(', ')} failed`;
}
