// @ts-check
import { brief } from './expectations.mjs';
import { filterText } from './filter-expression.mjs';
import { filterHint } from './filter-hint.mjs';
import { judged } from './rulings.mjs';

/**
 * Cases on the filter grammar (RFC 7644 3.4.2.2), run on the built library.
 *
 * @typedef {import('./types.mjs').Outcome} Outcome
 * @typedef {any} ScimLibrary the exports of libs/scim
 */

/** @type {Record<string, (each: any, content: any, scim: ScimLibrary) => string[]>} */
const CHECKS = {
  'filter-parse': checkParse,
  'filter-match': checkMatch,
  'filter-match-set': checkMatchSet,
};

/**
 * @param {import('./types.mjs').CaseFile} file
 * @param {ScimLibrary} scim
 * @returns {Outcome[]}
 */
export function runFilterUnits({ name, kind, content, entries }, scim) {
  const check = CHECKS[kind];
  if (check === undefined) throw new Error(`${name} holds no filter cases`);
  return entries.map((each) => judged(name, each, (changed) => check(changed, content, scim)));
}

/**
 * @param {{ filter: string, valid: boolean, scimType?: string, astHint?: string }} each
 * @param {unknown} _content
 * @param {ScimLibrary} scim
 * @returns {string[]}
 */
function checkParse({ filter, valid, scimType = 'invalidFilter', astHint }, _content, scim) {
  if (!valid) {
    const fault = faultOf(() => {
      const parsed = scim.parseFilter(filter, { tolerant: false });
      return scim.bindFilter(parsed, scim.userResourceType);
    });
    if (fault?.scimType === scimType && fault.status === 400) return [];
    return [`expected 400 ${scimType} for ${brief(filter)}, came ${shown(fault)}`];
  }
  const fault = faultOf(() => scim.parseFilter(filter));
  if (fault !== undefined) return [`expected ${brief(filter)} to parse, came ${shown(fault)}`];
  const parsed = scim.parseFilter(filter);
  const printed = scim.printFilter(parsed);
  const again = scim.printFilter(scim.parseFilter(printed));
  const hint = filterHint(parsed);
  return [
    ...(again === printed ? [] : [`printed as ${printed}, which parses as ${again}`]),
    ...(astHint === undefined || hint === astHint.replaceAll(/\s+/g, ' ')
      ? []
      : [`expected the tree ${astHint}, came ${hint}`]),
  ];
}

/**
 * @param {{ resource: string, filter: string, match: boolean }} each
 * @param {{ resources: Record<string, object> }} content
 * @param {ScimLibrary} scim
 * @returns {string[]}
 */
function checkMatch({ resource, filter, match }, { resources }, scim) {
  const fault = faultOf(() => matches(filter, resources[resource], scim));
  if (fault !== undefined) return [`expected ${match} for ${filter}, came ${shown(fault)}`];
  const actual = matches(filter, resources[resource], scim);
  return actual === match ? [] : [`expected ${match} for ${filter}, came ${actual}`];
}

/**
 * @param {{ expression: any, expectedIds: number[], scimType?: string }} each
 * @param {{ resources: { id: number }[] }} content
 * @param {ScimLibrary} scim
 * @returns {string[]}
 */
function checkMatchSet({ expression, expectedIds, scimType }, { resources }, scim) {
  const filter = filterText(expression);
  const fault = faultOf(() => matches(filter, {}, scim));
  if (scimType !== undefined) {
    if (fault?.status === 400 && fault.scimType === scimType) return [];
    return [`expected 400 ${scimType} for ${filter}, came ${shown(fault)}`];
  }
  if (fault !== undefined)
    return [`expected ${brief(expectedIds)} for ${filter}, came ${shown(fault)}`];
  const found = resources.filter((each) => matches(filter, each, scim)).map(({ id }) => id);
  if (JSON.stringify(found) === JSON.stringify(expectedIds)) return [];
  return [`expected ${brief(expectedIds)} for ${filter}, came ${brief(found)}`];
}

/**
 * @param {string} filter
 * @param {object | undefined} resource
 * @param {ScimLibrary} scim
 * @returns {boolean}
 */
function matches(filter, resource, scim) {
  return scim.matchesFilter(
    scim.bindFilter(scim.parseFilter(filter), scim.userResourceType),
    resource,
  );
}

/**
 * @param {() => unknown} work
 * @returns {any} what it threw
 */
function faultOf(work) {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** @param {any} fault */
function shown(fault) {
  if (fault === undefined) return 'no fault';
  if (fault.status === undefined) return String(fault.stack ?? fault);
  return `${fault.status} ${fault.scimType ?? ''}: ${fault.detail}`;
}
