/** `npm run bench -- all`: runs every benchmark and writes docs/performance.md with its plots. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask } from '#local-stack/commands.mjs';
import { workspace } from '#local-stack/layout.mjs';
import { performancePage } from './performance-page.js';
import { machine } from './report.js';
import { type Interruption, type Report, runBenchmark } from './run.js';
import { type BenchOptions } from './types.js';

const PAGE = join(workspace, 'docs', 'performance.md');
const PLOTS = join(workspace, 'docs', 'performance');

export async function runAll(
  names: readonly string[],
  options: BenchOptions,
  interruption: Interruption,
): Promise<Report[]> {
  const startedAt = performance.now();
  const reports: Report[] = [];
  for (const [index, name] of names.entries()) {
    process.stderr.write(`\n${name} (${index + 1} of ${names.length})\n`);
    reports.push(await runBenchmark(name, options, interruption));
    // After each, so that an interruption loses only the benchmark that it meets.
    writePage(reports, startedAt);
  }
  process.stdout.write(`\nWritten to ${PAGE}\n`);
  return reports;
}

function writePage(reports: readonly Report[], startedAt: number): void {
  const page = performancePage(reports, {
    date: new Date().toISOString().slice(0, 10),
    commit: ask('git', ['-C', workspace, 'rev-parse', '--short', 'HEAD']).output.trim(),
    machine: machine(),
    minutes: Math.round((performance.now() - startedAt) / 60_000),
  });
  rmSync(PLOTS, { recursive: true, force: true });
  mkdirSync(PLOTS, { recursive: true });
  for (const [file, content] of page.plots) writeFileSync(join(PLOTS, file), content);
  writeFileSync(PAGE, page.markdown);
  ask(join(workspace, 'node_modules', '.bin', 'prettier'), ['--write', PAGE]);
}
