// @ts-check
import { typeOfProvider, typeOfScenario } from './directories.mjs';
import { brief, checkAnswer, checkJson, isSuccess } from './expectations.mjs';
import { exchange } from './http-exchange.mjs';
import { readPath } from './json-path.mjs';
import { asRuled, outcomeOf } from './rulings.mjs';
import { UnknownVariable, Variables } from './variables.mjs';

/**
 * Runs cases over HTTP: scenarios, whose steps share variables, and independent cases, each in a
 * directory of its own.
 *
 * @typedef {import('./types.mjs').Outcome} Outcome
 * @typedef {import('./types.mjs').HttpCase} HttpCase
 * @typedef {import('./types.mjs').CaseFile} CaseFile
 * @typedef {import('./types.mjs').Directory} Directory
 * @typedef {import('./directories.mjs').Directories} Directories
 */

/**
 * @param {CaseFile} file
 * @param {Directories} directories
 * @returns {Promise<Outcome[]>}
 */
export async function runScenario(file, directories) {
  const type = typeOfScenario(file.name);
  const directory = await directories.create(type);
  const variables = new Variables({
    ...file.content.vars,
    token: directory.secret,
    base: directory.base,
  });
  const needsSecond = JSON.stringify(file.content).includes('{{token2}}');
  if (needsSecond) {
    const second = await directories.create(type);
    variables.set('token2', second.secret);
    variables.set('base2', second.base);
  }
  if (/user .*exists/.test(file.content.precondition ?? '')) await makeUser(directory, variables);
  const modes = new Map([
    ['strict', type !== 'azure-scim-v2'],
    ['pagination', true],
    ['second directory', needsSecond],
    ['indirectGroups', false],
  ]);
  /** @type {Outcome[]} */
  const outcomes = [];
  for (const step of /** @type {HttpCase[]} */ (file.entries)) {
    const reason = isOff(step.when, modes, variables);
    outcomes.push(
      reason === undefined
        ? await outcomeAsRuled(file.name, step, (changed) => runStep(changed, directory, variables))
        : { id: step.id, verdict: 'notApplicable', reason },
    );
  }
  return outcomes;
}

/**
 * @param {CaseFile} file
 * @param {Directories} directories
 * @returns {Promise<Outcome[]>}
 */
export async function runIndependent(file, directories) {
  /** @type {Outcome[]} */
  const outcomes = [];
  for (const each of /** @type {HttpCase[]} */ (file.entries)) {
    const directory = await directories.create(typeOfProvider(each.idp ?? ''));
    const variables = new Variables({ token: directory.secret, base: directory.base });
    outcomes.push(
      await outcomeAsRuled(file.name, each, (changed) => runCase(changed, directory, variables)),
    );
  }
  return outcomes;
}

/**
 * @param {string} file
 * @param {HttpCase} each
 * @param {(changed: HttpCase) => Promise<string[]>} run
 * @returns {Promise<Outcome>}
 */
async function outcomeAsRuled(file, each, run) {
  const { changed, reason } = asRuled(file, each);
  return outcomeOf(each.id, await faultsOf(() => run(changed)), reason);
}

/**
 * @param {() => Promise<string[]>} run
 * @returns {Promise<string[]>}
 */
export async function faultsOf(run) {
  try {
    return await run();
  } catch (error) {
    if (error instanceof UnknownVariable) return [error.message];
    return [`no answer: ${error instanceof Error ? error.message : String(error)}`];
  }
}

/**
 * @param {HttpCase} step
 * @param {Directory} directory
 * @param {Variables} variables
 * @returns {Promise<string[]>}
 */
async function runStep({ request, capture, expect }, directory, variables) {
  const answer = await exchange(directory.base, variables.fill(request), directory.secret);
  // Before the checks: they may speak of what this very answer gave.
  if (isSuccess(answer.status)) captureFrom(answer.json, capture ?? {}, variables);
  return checkAnswer(filledExpectation(expect, variables), answer);
}

/**
 * @param {HttpCase} each
 * @param {Directory} directory
 * @param {Variables} variables
 * @returns {Promise<string[]>}
 */
async function runCase(each, directory, variables) {
  for (const { request, capture } of each.setup ?? []) {
    const answer = await exchange(directory.base, variables.fill(request), directory.secret);
    if (!isSuccess(answer.status))
      return [`its set-up got ${answer.status} ${answer.text.slice(0, 200)}`];
    captureFrom(answer.json, capture ?? {}, variables);
  }
  const faults = await runStep(each, directory, variables);
  for (const { method, path, json } of each.after ?? []) {
    const answer = await exchange(
      directory.base,
      variables.fill({ method, path }),
      directory.secret,
    );
    if (!isSuccess(answer.status)) faults.push(`${method} after it got ${answer.status}`);
    else
      faults.push(
        ...checkJson(variables.fill(/** @type {any} */ (json)), answer.json).map(
          (fault) => `afterwards ${fault}`,
        ),
      );
  }
  return faults;
}

/**
 * @param {import('./types.mjs').Json | undefined} body
 * @param {Record<string, string>} capture
 * @param {Variables} variables
 */
function captureFrom(body, capture, variables) {
  for (const [name, path] of Object.entries(capture)) variables.set(name, readPath(body, path));
}

/**
 * @param {import('./types.mjs').Expectation} expect
 * @param {Variables} variables
 * @returns {import('./types.mjs').Expectation}
 */
function filledExpectation(expect, variables) {
  return /** @type {any} */ (variables.fill(/** @type {any} */ (expect)));
}

/**
 * @param {string | undefined} when
 * @param {Map<string, boolean>} modes
 * @param {Variables} variables `spc` is the service provider configuration
 * @returns {string | undefined} why the step is not run
 */
function isOff(when, modes, variables) {
  if (when === undefined) return undefined;
  const isNegated = when.startsWith('!');
  const name = isNegated ? when.slice(1) : when;
  const isOn = modes.get(name) ?? readPath(variables.get('spc'), name) === true;
  return isOn === isNegated ? `only for a service with ${when}` : undefined;
}

/**
 * @param {Directory} directory
 * @param {Variables} variables
 */
async function makeUser(directory, variables) {
  const userName = variables.fill('{{uniq}}.first@example.com');
  const body = {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName,
    name: { givenName: 'First', familyName: 'Person' },
    emails: [{ value: userName, type: 'work', primary: true }],
    active: true,
  };
  const { status, text } = await exchange(
    directory.base,
    { method: 'POST', path: '/Users', body },
    directory.secret,
  );
  if (status !== 201)
    throw new Error(`the user that must be there was not made: ${status} ${brief(text)}`);
}
