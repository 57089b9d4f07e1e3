// @ts-check
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runMain, StackFault } from '../local-stack/fault.mjs';
import { workspace } from '../local-stack/layout.mjs';
import { decoderVerdict } from './forms/decoder-cases.mjs';
import { flowVerdict } from './forms/flow-cases.mjs';
import { nodeVerdict } from './forms/node-cases.mjs';
import { placesVerdict, readingVerdict } from './forms/reader-cases.mjs';
import { countsOf, reasonLines, summaryLines } from './forms/report.mjs';
import { isRequestCase, requestVerdict } from './forms/request-cases.mjs';
import { withFormService } from './forms/service.mjs';
import { isSubmissionCase, submissionVerdict } from './forms/submission-cases.mjs';

/**
 * Form conformance: cases of the decoder, of names, messages and nodes against the built library;
 * cases of whole requests against a real identity-forms service.
 *
 * @typedef {import('./forms/types.mjs').FormCase} FormCase
 * @typedef {import('./forms/types.mjs').FileResult} FileResult
 * @typedef {import('./forms/types.mjs').Verdict} Verdict
 * @typedef {import('./forms/service.mjs').FormService} FormService
 */

/**
 * @param {string} folder of case files
 * @param {(line: string) => void} print
 * @returns {Promise<{ passed: number, failed: number, notApplicable: number }>} `notApplicable`
 *   counts the cases that were judged by a ruling as well; each of them is listed with its reason
 */
export async function run(folder, print) {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort();
  const files = names.map((name) => ({
    name: name.slice(0, -'.json'.length),
    cases: /** @type {FormCase[]} */ (JSON.parse(readFileSync(join(folder, name), 'utf8'))),
  }));
  const built = join(workspace, 'dist/libs/form-decoder/src/index.js');
  const library = await import(pathToFileURL(built).href);
  const results = await withFormService(async (service) => {
    /** @type {FileResult[]} */
    const done = [];
    for (const { name, cases } of files) {
      const outcomes = [];
      for (const [index, testCase] of cases.entries()) {
        const verdict = await verdictOf(name, testCase, service, library);
        outcomes.push({ id: `${name}/${index} ${testCase.name}`, ...verdict });
      }
      done.push({ name, outcomes });
    }
    return done;
  });
  for (const { outcomes } of results) {
    for (const { id, verdict, reason } of outcomes) {
      if (verdict === 'failed') print(`FAILED ${id}: ${reason}`);
    }
  }
  for (const line of ['', ...reasonLines(results), '', ...summaryLines(results)]) print(line);
  return countsOf(results);
}

/**
 * @param {string} file
 * @param {FormCase} testCase
 * @param {FormService} service
 * @param {any} library
 * @returns {Promise<Verdict>}
 */
async function verdictOf(file, testCase, service, library) {
  if (isRequestCase(testCase)) return requestVerdict(testCase, service);
  if (isSubmissionCase(testCase)) return submissionVerdict(testCase, service);
  return libraryVerdict(file, testCase, library);
}

/**
 * @param {string} file
 * @param {FormCase} testCase
 * @param {any} library
 * @returns {Verdict}
 */
function libraryVerdict(file, testCase, library) {
  if (file.startsWith('02-')) return placesVerdict(testCase, library);
  if (file.startsWith('03-')) return flowVerdict(testCase, library);
  if (file.startsWith('06-')) return nodeVerdict(testCase, library);
  return testCase.kind === undefined || testCase.kind === 'decode'
    ? decoderVerdict(testCase, library)
    : readingVerdict(testCase, library);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runMain(async () => {
    const [folder] = process.argv.slice(2);
    const usage = 'Usage: npm run conformance -- <folder of form cases>';
    if (folder === undefined) throw new StackFault('Which folder of cases?', usage, 2);
    const { failed } = await run(folder, (line) => void process.stdout.write(`${line}\n`));
    return failed === 0 ? 0 : 1;
  });
}
