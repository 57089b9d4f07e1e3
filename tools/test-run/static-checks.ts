import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { nxCommand } from '#local-stack/build.mjs';
import { runCommand } from '#local-stack/commands.mjs';
import { type Layout } from '#local-stack/layout.mjs';
import { type Tally } from './tally.js';

/** Each checks all files in one process. */
const TARGETS = ['lint-all', 'typecheck', 'format'];

/** Runs ESLint, TypeScript and Prettier; Nx replays what has passed before. Each counts as one. */
export async function runStaticChecks(
  layout: Layout,
  signal: AbortSignal,
  tally: Tally,
): Promise<string> {
  const command = nxCommand([
    'run-many',
    '--projects=workspace',
    '-t',
    TARGETS.join(),
    '--output-style=static',
  ]);
  const { code, endedBy, logFile } = await runCommand(layout, 'nx', command, { signal });
  const log = stripVTControlCharacters(readFileSync(logFile, 'utf8'));
  const [, summary = ''] = log.split('\nFailed tasks:\n');
  const failed = TARGETS.filter((target) => summary.includes(`- workspace:${target}`));
  for (const target of TARGETS) {
    if (failed.includes(target)) tally.fail(`npx nx run workspace:${target}`);
    else if (code === 0 || failed.length > 0) tally.pass();
  }
  if (code === 0) return `${TARGETS.length} passed`;
  process.stdout.write(`\n${log}\n`);
  if (failed.length === 0) tally.fail(`Nx ended with ${code ?? endedBy}`);
  return `${failed.join(', ')} failed`;
}
