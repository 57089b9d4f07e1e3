import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { nxCommand, NX_ENVIRONMENT } from '#local-stack/build.mjs';
import { runCommand } from '#local-stack/commands.mjs';
import { type Layout, workspace } from '#local-stack/layout.mjs';
import { readJestReport } from './jest-report.js';
import { type Tally } from './tally.js';

const LIMIT_MS = 20 * 60_000;
/** Linted at once, the files share one program of types; each project alone would make its own. */
const TARGETS = ['lint-all', 'typecheck', 'format', 'test'];

interface NxContext {
  layout: Layout;
  signal: AbortSignal;
  environment: NodeJS.ProcessEnv;
}

/**
 * Runs lint, type check, format check and unit tests of all projects; Nx replays what it has cached.
 * Counts one for each target, and the unit tests one by one.
 */
export async function runNxTargets(
  { layout, signal, environment }: NxContext,
  tally: Tally,
): Promise<string> {
  const command = nxCommand(['run-many', '-t', TARGETS.join(), '--output-style=static']);
  const { code, expired, logFile } = await runCommand(
    layout,
    'nx',
    { ...command, env: { ...environment, ...NX_ENVIRONMENT } },
    { signal, expiry: AbortSignal.timeout(LIMIT_MS), echo: printTaskNames },
  );
  const { tasks, failed, preface } = parseNxLog(readFileSync(logFile, 'utf8'));
  if (expired) tally.fail(`Nx took longer than ${LIMIT_MS / 60_000} minutes`);
  else if (code !== 0 && failed.length === 0) tally.fail(`Nx exited with ${code}:\n${preface}`);
  for (const task of failed) process.stdout.write(`\n${task}\n${tasks.get(task) ?? ''}\n`);

  const passedBefore = tally.passed;
  for (const target of TARGETS.filter((each) => each !== 'test')) {
    const faulty = failed.filter((task) => task.endsWith(`:${target}`));
    for (const task of faulty) tally.fail(task);
    if (faulty.length === 0) tally.pass();
  }
  for (const task of tasks.keys()) {
    const [project, target] = task.split(':');
    if (target !== 'test') continue;
    const report = join(workspace, '.local', 'unit', `${project}.json`);
    if (existsSync(report)) tally.addJest(readJestReport(report));
    else if (failed.includes(task)) tally.fail(`${task}: no report`);
  }
  return `${tally.passed - passedBefore} passed`;
}

/**
 * Splits the log of `nx run-many --output-style=static`.
 * @returns each task with its output, the tasks that failed, and the text before the first task
 */
export function parseNxLog(log: string) {
  const [body = '', summary = ''] = stripVTControlCharacters(log).split('\nFailed tasks:\n');
  const [preface = '', ...sections] = body.split(/^> nx run /m);
  const tasks = new Map(
    sections.map((section) => {
      const [heading = '', ...lines] = section.split('\n');
      // A cached task carries a note: "scim:lint  [local cache]".
      return [heading.trim().split(' ')[0] ?? '', lines.join('\n').trim()];
    }),
  );
  const failed = [...summary.matchAll(/^- (\S+)$/gm)].map(([, task]) => task ?? '');
  return { tasks, failed, preface };
}

function printTaskNames(text: string): void {
  for (const [, task] of stripVTControlCharacters(text).matchAll(/^> nx run (.*)$/gm)) {
    process.stdout.write(`    ${task}\n`);
  }
}
