/** Writes docs/performance.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask } from '#local-stack/commands.mjs';
import { workspace } from '#local-stack/layout.mjs';
import { performancePage } from './performance-page.js';
import { readReport } from './report.js';
import { type Interruption, runBenchmark } from './run.js';
import { type BenchOptions, type RowResult } from './types.js';

const PAGE = join(workspace, 'docs', 'performance.md');

/** `npm run bench -- all`: runs every benchmark and writes the page. */
export async function runAll(
  names: readonly string[],
  options: BenchOptions,
  interruption: Interruption,
): Promise<RowResult[]> {
  const rows: RowResult[] = [];
  for (const [index, name] of names.entries()) {
    process.stderr.write(`\n${name} (${index + 1} of ${names.length})\n`);
    rows.push(...(await runBenchmark(name, options, interruption)));
    // After each, so that an interruption loses only the benchmark that it meets.
    writePage(name);
  }
  return rows;
}

/** Puts the newest report of a benchmark in place of its section. */
export function writePage(name: string): void {
  const report = readReport(workspace, name);
  writeFileSync(PAGE, performancePage([report], readFileSync(PAGE, 'utf8')));
  ask(join(workspace, 'node_modules', '.bin', 'prettier'), ['--write', PAGE]);
  process.stdout.write(`\nWritten to ${PAGE}\n`);
}
