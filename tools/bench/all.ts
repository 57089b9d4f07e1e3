/** `npm run bench -- all`: runs every benchmark and writes docs/performance.md with its plots. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask } from '#local-stack/commands.mjs';
import { workspace } from '#local-stack/layout.mjs';
import { performancePage } from './performance-page.js';
import { machine } from './report.js';
import { type Interruption, type Report, runBenchmark } from './run.js';
import { type BenchOptions } from './types.js';

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
  }
  const page = performancePage(reports, {
    date: new Date().toISOString().slice(0, 10),
    commit: ask('git', ['-C', workspace, 'rev-parse', '--short', 'HEAD']).output.trim(),
    machine: machine(),
    minutes: Math.round((performance.now() - startedAt) / 60_000),
  });
  const docs = join(workspace, 'docs');
  const folder = join(docs, 'performance');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [file, content] of page.plots) writeFileSync(join(folder, file), content);
  writeFileSync(join(docs, 'performance.md'), page.markdown);
  ask('npx', ['prettier', '--write', join(docs, 'performance.md')]);
  process.stdout.write(`\nWritten to ${join(docs, 'performance.md')}\n`);
  return reports;
}
