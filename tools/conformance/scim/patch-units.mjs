// @ts-check
import { canonical, schemasInUse } from './canonical.mjs';
import { brief } from './expectations.mjs';
import { judged } from './rulings.mjs';

/**
 * Cases on PATCH (RFC 7644 3.5.2), run on the built library.
 *
 * @typedef {import('./types.mjs').Outcome} Outcome
 * @typedef {import('./types.mjs').JsonObject} JsonObject
 * @typedef {any} ScimLibrary the exports of libs/scim
 */

const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';

/**
 * @param {import('./types.mjs').CaseFile} file
 * @param {ScimLibrary} scim
 * @returns {Outcome[]}
 */
export function runPatchUnits({ name, kind, entries }, scim) {
  const check = kind === 'patch-path' ? checkPath : checkPatch;
  return entries.map((/** @type {any} */ each) =>
    judged(name, each, (changed) => check(changed, scim)),
  );
}

/**
 * A path is tried with a remove: add and replace keep what no schema knows.
 * @param {{ resourceType: string, path: string, valid: boolean, scimType?: string }} each
 * @param {ScimLibrary} scim
 * @returns {string[]}
 */
function checkPath({ resourceType, path, valid, scimType = 'invalidPath' }, scim) {
  /** @type {JsonObject} */
  const resource =
    resourceType === 'Group'
      ? { schemas: [GROUP], displayName: 'A' }
      : { schemas: [USER], userName: 'a' };
  const { fault } = patched(resource, [{ op: 'remove', path }], {}, scim);
  const isRefused = fault !== undefined && fault.scimType === scimType;
  // A path to what nobody may change is a path all the same.
  const isAccepted = fault === undefined || fault.scimType === 'mutability';
  if (valid ? isAccepted : isRefused) return [];
  return [`expected the path ${path} to be ${valid ? 'valid' : scimType}, came ${shown(fault)}`];
}

/**
 * @param {{ source: string, before: JsonObject, operations: any, expect: any }} each
 * @param {ScimLibrary} scim
 * @returns {string[]}
 */
function checkPatch({ source, before, operations, expect }, scim) {
  const isGroup =
    before['members'] !== undefined || JSON.stringify(before['schemas'] ?? []).includes(GROUP);
  // What a stored group cannot lack (RFC 7643 4.2, erratum 5368) and a sample may.
  /** @type {JsonObject} */
  const required = isGroup ? { displayName: 'Sample' } : {};
  // Entra ID's form of replace, which makes the element that it does not find.
  const options = /Entra|scim-patch/.test(source) ? scim.patchOptionsOf('azure-scim-v2') : {};
  const { fault, after } = patched({ ...required, ...before }, operations, options, scim);
  if (expect.status !== undefined) {
    if (fault?.status === expect.status && fault.scimType === expect.scimType) return [];
    return [
      `expected ${expect.status} ${expect.scimType}, came ${fault === undefined ? brief(after ?? null) : shown(fault)}`,
    ];
  }
  if (fault !== undefined || after === undefined)
    return [`expected ${brief(expect.after)}, came ${shown(fault)}`];
  const wanted = { ...required, ...expect.after };
  const urns = schemasInUse(wanted, isGroup ? GROUP : USER);
  const actualUrns = [...(after['schemas'] ?? [])].sort();
  return [
    ...(canonical(after) === canonical(wanted)
      ? []
      : [`expected ${canonical(wanted)}, came ${canonical(after)}`]),
    ...(JSON.stringify(urns) === JSON.stringify(actualUrns)
      ? []
      : [`expected schemas ${brief(urns)}, came ${brief(actualUrns)}`]),
  ];
}

/**
 * Patches as the service does: members apart from the rest of a group.
 * @param {JsonObject} before
 * @param {any} operations
 * @param {object} options
 * @param {ScimLibrary} scim
 * @returns {{ fault?: any, after?: any }}
 */
function patched(before, operations, options, scim) {
  const isGroup = before['userName'] === undefined || before['members'] !== undefined;
  const type = isGroup ? scim.groupResourceType : scim.userResourceType;
  try {
    const resource = scim.normaliseResource(before, type);
    const body = { schemas: [PATCH_OP], Operations: operations };
    const parsed = scim.parsePatchRequest(body, type);
    if (!isGroup) return { after: scim.applyPatch(resource, parsed, type, options).resource };
    const group = scim.takeMembers(resource);
    const plan = scim.planGroupPatch(parsed, options);
    const { resource: attributes } = scim.applyPatch(
      group.resource,
      plan.attributes,
      type,
      options,
    );
    return { after: { ...attributes, members: changedMembers(group.members, plan.members, scim) } };
  } catch (fault) {
    return { fault };
  }
}

/**
 * @param {{ value: string }[]} members
 * @param {any[]} changes
 * @param {ScimLibrary} scim
 * @returns {{ value: string }[]}
 */
function changedMembers(members, changes, scim) {
  let current = members;
  for (const change of changes) {
    if (change.kind === 'removeAll') current = [];
    else if (change.kind === 'replaceAll') current = change.members;
    else if (change.kind === 'remove')
      current = current.filter(({ value }) => !change.ids.includes(value));
    else if (change.kind === 'removeMatching')
      current = current.filter((each) => !scim.matchesElement(change.filter, each));
    else {
      const known = new Set(current.map(({ value }) => value));
      current = [
        ...current,
        ...change.members.filter((/** @type {{ value: string }} */ { value }) => !known.has(value)),
      ];
    }
  }
  return current;
}

/** @param {any} fault */
function shown(fault) {
  if (fault === undefined) return 'no fault';
  if (fault.status === undefined) return String(fault.stack ?? fault);
  return `${fault.status} ${fault.scimType ?? ''}: ${fault.detail}`;
}
