// @ts-check
import { typeOfProvider } from './directories.mjs';
import { brief, isSuccess } from './expectations.mjs';
import { exchange } from './http-exchange.mjs';
import { faultsOf } from './scenario.mjs';
import { asRuled, outcomeOf } from './rulings.mjs';

/**
 * Exchanges taken from documentation: the ids in them are literal and the answer is a sample. The
 * resource that a path names is made first, and its id put in the place of the literal one.
 *
 * @typedef {import('./types.mjs').HttpCase} HttpCase
 * @typedef {import('./types.mjs').Outcome} Outcome
 * @typedef {import('./types.mjs').Directory} Directory
 */

/** What a sample answer cannot know. */
const OWN = ['id', 'meta', 'schemas', 'groups', 'members'];

/**
 * @param {import('./types.mjs').CaseFile} file
 * @param {import('./directories.mjs').Directories} directories
 * @returns {Promise<Outcome[]>}
 */
export async function runExchanges(file, directories) {
  /** @type {Outcome[]} */
  const outcomes = [];
  for (const each of /** @type {HttpCase[]} */ (file.entries)) {
    const { changed, reason } = asRuled(file.name, each);
    const directory = await directories.create(typeOfProvider(each.idp ?? ''));
    const faults = await faultsOf(() => runExchange(changed, directory));
    outcomes.push(outcomeOf(each.id, faults, reason));
  }
  return outcomes;
}

/**
 * @param {HttpCase} each
 * @param {Directory} directory
 * @returns {Promise<string[]>}
 */
async function runExchange({ request, expect }, directory) {
  const [, endpoint, literalId] = /^\/(Users|Groups)\/([^/?]+)/.exec(request.path) ?? [];
  let { path } = request;
  if (endpoint !== undefined && literalId !== undefined) {
    const made = await exchange(
      directory.base,
      { method: 'POST', path: `/${endpoint}`, body: sample(endpoint) },
      directory.secret,
    );
    const { id } = Object(made.json);
    if (made.status !== 201) return [`its set-up got ${made.status} ${made.text}`];
    path = path.replace(literalId, id);
  }
  const answer = await exchange(directory.base, { ...request, path }, directory.secret);
  const isExpected = isSuccess(answer.status) && [...expect.status, 204].includes(answer.status);
  if (!isExpected)
    return [`expected status ${expect.status}, came ${answer.status} ${answer.text.slice(0, 200)}`];
  const { method } = request;
  if (method !== 'POST' && method !== 'PUT') return [];
  return Object.entries(Object(expect.responseLike))
    .filter(([name, value]) => !OWN.includes(name) && value !== null)
    .filter(([name, value]) => !includesValue(Object(answer.json)[name], value))
    .map(
      ([name, value]) =>
        `expected ${name} like ${brief(value)}, came ${brief(Object(answer.json)[name])}`,
    );
}

/**
 * @param {any} actual
 * @param {any} expected
 * @returns {boolean} whether all that is expected is there; null and empty lists are no values
 */
function includesValue(actual, expected) {
  if (expected === null || (Array.isArray(expected) && expected.length === 0)) return true;
  if (typeof expected !== 'object') return actual === expected;
  if (Array.isArray(expected)) {
    return (
      Array.isArray(actual) &&
      expected.every((each) => actual.some((one) => includesValue(one, each)))
    );
  }
  return (
    typeof actual === 'object' &&
    actual !== null &&
    Object.entries(expected).every(([name, value]) => includesValue(actual[name], value))
  );
}

/**
 * @param {string} endpoint
 * @returns {import('./types.mjs').JsonObject}
 */
function sample(endpoint) {
  if (endpoint === 'Groups') return { displayName: 'Before' };
  return {
    userName: 'before@example.com',
    emails: [{ type: 'work', value: 'before@example.com' }],
  };
}
