// @ts-check
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runMain, StackFault } from '../local-stack/fault.mjs';
import { workspace } from '../local-stack/layout.mjs';
import { readOptions } from '../local-stack/options.mjs';
import { readCaseFiles } from './scim/case-files.mjs';
import { directoriesOf } from './scim/directories.mjs';
import { runExchanges } from './scim/documented-exchanges.mjs';
import { runFilterUnits } from './scim/filter-units.mjs';
import { runPatchUnits } from './scim/patch-units.mjs';
import { countsOf, failureLines, reasonLines, summaryLines } from './scim/report.mjs';
import { staleRulings } from './scim/rulings.mjs';
import { runIndependent, runScenario } from './scim/scenario.mjs';
import { withService } from './scim/service.mjs';

/**
 * SCIM conformance: HTTP scenarios and cases against a real dsync-api, and unit cases on filter
 * and PATCH against the built libs/scim.
 *
 * @typedef {import('./scim/types.mjs').CaseFile} CaseFile
 * @typedef {import('./scim/types.mjs').FileResult} FileResult
 */

const HTTP_KINDS = ['scenario', 'cases', 'exchanges'];

/**
 * @param {string} folder of case files
 * @param {(line: string) => void} print
 * @param {{ only?: string }} [options] `only`: files whose name holds this
 * @returns {Promise<import('./scim/report.mjs').Counts>}
 */
export async function run(folder, print, { only = '' } = {}) {
  const files = readCaseFiles(folder).filter(({ name }) => name.includes(only));
  const scim = await import(pathToFileURL(join(workspace, 'dist/libs/scim/src/index.js')).href);
  const overHttp = files.filter(({ kind }) => HTTP_KINDS.includes(kind));
  /** @type {FileResult[]} */
  const results = [];
  for (const file of files.filter((each) => !overHttp.includes(each))) {
    results.push(reported({ name: file.name, outcomes: unitOutcomes(file, scim) }, print));
  }
  if (overHttp.length > 0) {
    await withService(async (service) => {
      print(`SCIM requests go to ${service.origin}`);
      const directories = directoriesOf(service);
      try {
        for (const file of overHttp) {
          const outcomes = await httpOutcomes(file, directories);
          results.push(reported({ name: file.name, outcomes }, print));
        }
      } finally {
        await directories.deleteAll();
      }
    });
  }
  for (const line of ['', ...reasonLines(results), '', ...summaryLines(results)]) print(line);
  const keys = results.flatMap(({ name, outcomes }) => outcomes.map(({ id }) => `${name}/${id}`));
  for (const key of staleRulings(keys))
    print(`There is no case ${key} any more: its ruling can go.`);
  return countsOf(results);
}

/**
 * @param {FileResult} result
 * @param {(line: string) => void} print
 */
function reported(result, print) {
  failureLines([result]).forEach(print);
  return result;
}

/**
 * @param {CaseFile} file
 * @param {any} scim
 */
function unitOutcomes(file, scim) {
  return file.kind.startsWith('filter-') ? runFilterUnits(file, scim) : runPatchUnits(file, scim);
}

/**
 * @param {CaseFile} file
 * @param {import('./scim/directories.mjs').Directories} directories
 */
function httpOutcomes(file, directories) {
  if (file.kind === 'scenario') return runScenario(file, directories);
  return file.kind === 'cases'
    ? runIndependent(file, directories)
    : runExchanges(file, directories);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runMain(async () => {
    const usage = 'npm run conformance -- <folder of SCIM cases> [--only <part of a file name>]';
    const { values, positionals } = readOptions(
      process.argv.slice(2),
      { only: { type: 'string' } },
      { usage, positionals: 1 },
    );
    const [folder] = positionals;
    if (folder === undefined) throw new StackFault('Which folder of cases?', `Usage: ${usage}`, 2);
    const print = (/** @type {string} */ line) => void process.stdout.write(`${line}\n`);
    const { failed } = await run(folder, print, values);
    return failed === 0 ? 0 : 1;
  });
}
