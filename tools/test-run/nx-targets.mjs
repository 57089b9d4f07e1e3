// @ts-check
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { nxCommand, nxEnvironment } from '../local-stack/build.mjs';
import { runCommand } from '../local-stack/commands.mjs';
import { workspace } from '../local-stack/layout.mjs';

const limitMs = 20 * 60_000;

/**
 * Runs the targets lint, typecheck and test (unit tests) of all projects. Nx replays what it has
 * cached. Lint and the type check count as one each, unit tests one by one.
 * @param {{ layout: import('../local-stack/layout.mjs').Layout, signal: AbortSignal,
 *   environment: NodeJS.ProcessEnv }} context
 * @param {import('./tally.mjs').Tally} tally
 * @returns {Promise<string>} the outcome in a few words
 */
export async function runNxTargets({ layout, signal, environment }, tally) {
  const command = nxCommand(['run-many', '-t', 'lint,typecheck,test', '--output-style=static']);
  const { code, expired, logFile } = await runCommand(
    layout,
    'nx',
    { ...command, env: { ...environment, ...nxEnvironment } },
    {
      signal,
      expiry: AbortSignal.timeout(limitMs),
      echo: (text) => {
        for (const [, task] of text.matchAll(/^> nx run (.*)$/gm)) {
          process.stdout.write(`    ${task}\n`);
        }
      },
    },
  );
  const { tasks, failed } = parseNxLog(readFileSync(logFile, 'utf8'));
  if (expired) tally.fail(`lint, type check and unit tests took over ${limitMs / 60_000} minutes`);
  else if (code !== 0 && failed.length === 0)
    tally.fail(`Nx ended with ${code}:\n${tasks.get('')}`);
  for (const task of failed) process.stdout.write(`\n${task}\n${tasks.get(task) ?? ''}\n`);

  const passedBefore = tally.passed;
  for (const target of ['lint', 'typecheck']) {
    const faulty = failed.filter((task) => task.endsWith(`:${target}`));
    for (const task of faulty) tally.fail(task);
    if (faulty.length === 0) tally.pass();
  }
  for (const task of tasks.keys()) {
    const [project, target] = task.split(':');
    if (target !== 'test') continue;
    const report = join(workspace, '.local', 'unit', `${project}.json`);
    if (existsSync(report)) addReport(report, tally);
    else if (failed.includes(task)) tally.fail(`${task}: no report`);
  }
  return `${tally.passed - passedBefore} passed`;
}

/**
 * @param {string} file
 * @param {import('./tally.mjs').Tally} tally
 */
function addReport(file, tally) {
  /** @type {import('./tally.mjs').JestReport} */
  const report = JSON.parse(readFileSync(file, 'utf8'));
  for (const suite of report.testResults) suite.name = relative(workspace, suite.name);
  tally.addJest(report);
}

/**
 * @param {string} log of `nx run-many --output-style=static`
 * @returns {{ tasks: Map<string, string>, failed: string[] }} each task with its output (the text
 *   before the first task has the key ''), and the tasks that failed
 */
export function parseNxLog(log) {
  const text = stripVTControlCharacters(log);
  const [body = '', summary = ''] = text.split('\nFailed tasks:\n');
  const [preface = '', ...sections] = body.split(/^> nx run /m);
  const tasks = new Map([['', preface]]);
  for (const section of sections) {
    const [heading = '', ...lines] = section.split('\n');
    // A cached task carries a note, such as "scim:lint  [local cache]".
    tasks.set(heading.split(' ')[0] ?? '', lines.join('\n').trim());
  }
  return { tasks, failed: [...summary.matchAll(/^- (\S+)$/gm)].map(([, task]) => task ?? '') };
}
