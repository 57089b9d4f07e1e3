// @ts-check
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Reads a folder of case files and tells their kinds apart by what is in them.
 *
 * @typedef {import('./types.mjs').CaseFile} CaseFile
 */

const UNIT_KINDS = ['filter-parse', 'filter-match', 'filter-match-set', 'patch-path', 'patch'];

/**
 * @param {string} folder
 * @returns {CaseFile[]} by name
 * @throws {Error} when a file is no case file
 */
export function readCaseFiles(folder) {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) =>
      caseFile(file.slice(0, -'.json'.length), readFileSync(join(folder, file), 'utf8')),
    );
}

/**
 * @param {string} name
 * @param {string} text
 * @returns {CaseFile}
 */
export function caseFile(name, text) {
  const content = JSON.parse(text);
  const entries = content.steps ?? content.cases;
  if (!Array.isArray(entries)) throw new Error(`${name}.json has neither steps nor cases`);
  return { name, kind: kindOf(name, content), content, entries };
}

/**
 * @param {string} name
 * @param {any} content
 * @returns {CaseFile['kind']}
 */
function kindOf(name, content) {
  if (content.steps !== undefined) return 'scenario';
  const [first] = content.cases;
  if (UNIT_KINDS.includes(first?.kind)) return first.kind;
  // Exchanges from documentation: their ids are literal, and sample answers stand for expectations.
  if (first?.expect?.responseLike !== undefined) return 'exchanges';
  if (first?.request !== undefined) return 'cases';
  throw new Error(`${name}.json holds cases of an unknown kind`);
}
