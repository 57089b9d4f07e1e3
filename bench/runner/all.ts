/** docs/performance.md, from the newest report of each benchmark. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask } from '#local-stack/commands.mjs';
import { workspace } from '#local-stack/layout.mjs';
import { performancePage } from './performance-page.js';
import { readReport } from './report.js';
import { type Interruption, runBenchmark } from './run.js';
import { type BenchOptions, type RowResult } from './types.js';

/** What the page begins with. */
const FIRST = 'lone';
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
    writePage(names);
  }
  return rows;
}

export function writePage(names: readonly string[]): void {
  const reports = [FIRST, ...names.filter((name) => name !== FIRST)]
    .map((name) => readReport(workspace, name))
    .filter((each) => each !== undefined);
  writeFileSync(PAGE, performancePage(reports));
  ask(join(workspace, 'node_modules', '.bin', 'prettier'), ['--write', PAGE]);
  process.stdout.write(`\nWritten to ${PAGE}\n`);
}
