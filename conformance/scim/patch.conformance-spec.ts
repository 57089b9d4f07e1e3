import {
  applyPatch,
  groupResourceType,
  type JsonObject,
  type JsonValue,
  matchesElement,
  type MemberChange,
  type MemberReference,
  normalizeResource,
  parsePatchRequest,
  patchOptionsOf,
  planGroupPatch,
  takeMembers,
  userResourceType,
} from '@gatehouse/scim';
import { type CaseGroup, groupTitle, readCases } from '../case-files.js';

interface PatchCase {
  name?: string;
  on?: string;
  given?: JsonObject;
  ops: JsonValue;
  after?: JsonObject;
  error?: string;
}

interface PatchFile {
  resources: Record<string, JsonObject>;
  paths: (CaseGroup & { valid: string[]; invalid: string[] })[];
  groups: (CaseGroup & { provider?: string; on: string; cases: PatchCase[] })[];
}

const { resources, paths, groups } = readCases<PatchFile>('scim/patch.yaml');

describe('PATCH paths', () => {
  for (const group of paths) {
    describe(groupTitle(group), () => {
      // Remove resolves the path; add and replace would create attributes without a schema.
      const remove = (path: string) => patched({ userName: 'x' }, [{ op: 'remove', path }]);

      it.each(group.valid)('%s is valid', (path) => {
        expect([undefined, 'mutability']).toContain(remove(path).error?.scimType);
      });

      it.each(group.invalid)('%s is refused', (path) => {
        expect(remove(path).error).toMatchObject({ status: 400, scimType: 'invalidPath' });
      });
    });
  }
});

describe('PATCH operations', () => {
  for (const { cases, provider, ...group } of groups) {
    describe(groupTitle(group), () => {
      it.each(cases.map((each) => [titleOf(each), each] as const))('%s', (_title, each) => {
        const resource = resources[each.on ?? group.on];
        const before = merged(resource ?? {}, each.given ?? {});
        const { after, error } = patched(before, each.ops, provider);
        if (each.error !== undefined) {
          expect(error).toMatchObject({ status: 400, scimType: each.error });
          return;
        }
        expect(error).toBeUndefined();
        const wanted = merged(before, each.after ?? {});
        expect(canonical(after)).toEqual(canonical(wanted));
        expect([...schemasOf(after)].sort()).toEqual(urnsInUse(wanted));
      });
    });
  }
});

function titleOf({ name, ops, error }: PatchCase): string {
  return `${name ?? JSON.stringify(ops)}${error === undefined ? '' : ` is ${error}`}`;
}

/** Both objects in one; null takes an attribute away. */
function merged(base: JsonObject, changes: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries({ ...base, ...changes }).filter(([, value]) => value !== null),
  );
}

interface Outcome {
  after: JsonObject;
  error?: { status?: number; scimType?: string };
}

/** Patches as the service does: the members of a group apart from the rest of it. */
function patched(before: JsonObject, operations: JsonValue, provider = ''): Outcome {
  const type = isGroup(before) ? groupResourceType : userResourceType;
  const options = patchOptionsOf(provider);
  try {
    const resource = normalizeResource(before, type);
    const parsed = parsePatchRequest({ Operations: operations });
    if (type === userResourceType) {
      return { after: applyPatch(resource, parsed, type, options).resource };
    }
    const group = takeMembers(resource);
    const plan = planGroupPatch(parsed);
    const { resource: attributes } = applyPatch(group.resource, plan.attributes, type, options);
    const members = plan.members.reduce(changeMembers, group.members ?? []) as unknown as JsonValue;
    return { after: { ...attributes, members } };
  } catch (error) {
    return { after: {}, error: error as { status?: number } };
  }
}

function changeMembers(members: MemberReference[], change: MemberChange): MemberReference[] {
  switch (change.kind) {
    case 'removeAll':
      return [];
    case 'replaceAll':
      return change.members;
    case 'remove':
      return members.filter(({ value }) => !change.ids.includes(value));
    case 'removeMatching':
      return members.filter((each) => !matchesElement(change.filter, { ...each }));
    case 'add':
      return [
        ...members,
        ...change.members.filter(({ value }) => !members.some((each) => each.value === value)),
      ];
  }
}

function isGroup(resource: JsonObject): boolean {
  return resource.members !== undefined;
}

function schemasOf(resource: JsonObject): string[] {
  return (resource.schemas ?? []) as string[];
}

/** The URNs of the base schema, of the declared ones and of the extensions with a value. */
function urnsInUse(resource: JsonObject): string[] {
  const base = (isGroup(resource) ? groupResourceType : userResourceType).schema.id;
  const extensions = Object.keys(resource).filter((name) => name.startsWith('urn:'));
  return [...new Set([base, ...schemasOf(resource), ...extensions])].sort();
}

/**
 * A form that is equal for resources that mean the same: null and empty lists are no values (RFC
 * 7643 section 2.5), elements have no order, `primary` is false by default (section 2.4).
 */
function canonical(resource: JsonObject): JsonValue {
  return withoutBlanks({ ...resource, schemas: null }) ?? {};
}

function withoutBlanks(value: JsonValue | undefined): JsonValue | undefined {
  if (value === null || value === undefined) return undefined;
  if (Array.isArray(value)) {
    const elements = value.map(withoutBlanks).filter((each) => each !== undefined);
    const texts = elements.map((each) => JSON.stringify(each)).sort();
    return texts.length === 0 ? undefined : texts.map((text) => JSON.parse(text) as JsonValue);
  }
  if (typeof value !== 'object') return value;
  const entries = Object.entries(value)
    .filter(([name, each]) => !(name === 'primary' && each === false))
    .map(([name, each]) => [name, withoutBlanks(each)] as const)
    .filter(([, each]) => each !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
