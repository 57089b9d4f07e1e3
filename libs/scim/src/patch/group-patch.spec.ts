import fc from 'fast-check';
import { matchesElement } from '../filter/filter-evaluator.js';
import { type JsonObject, type JsonValue } from '../json/json.js';
import { type ScimResource } from '../resource/resource.js';
import { groupResourceType } from '../schema/resource-type.js';
import { type MemberChange, netMemberChanges, planGroupPatch } from './group-patch.js';
import { applyPatch } from './patch-engine.js';
import { parsePatchRequest } from './patch-request.js';

const core = 'urn:ietf:params:scim:schemas:core:2.0:Group';

function plan(...operations: JsonValue[]) {
  return planGroupPatch(parsePatchRequest({ Operations: operations }));
}

describe('planGroupPatch', () => {
  it.each<[string, JsonValue, MemberChange[]]>([
    [
      'add of a list',
      { op: 'add', path: 'members', value: [{ value: 'a', display: 'A' }, { value: 'b' }] },
      [{ kind: 'add', members: [{ value: 'a' }, { value: 'b' }] }],
    ],
    [
      'add of one object',
      { op: 'Add', path: 'Members', value: { value: 'a' } },
      [{ kind: 'add', members: [{ value: 'a' }] }],
    ],
    [
      'add of a text',
      { op: 'add', path: 'members', value: 'a' },
      [{ kind: 'add', members: [{ value: 'a' }] }],
    ],
    [
      'add of a reference',
      { op: 'add', path: 'members', value: [{ $ref: 'https://x/Users/a' }] },
      [{ kind: 'add', members: [{ value: 'a', $ref: 'https://x/Users/a' }] }],
    ],
    [
      'add without a path',
      { op: 'add', value: { members: [{ value: 'a' }] } },
      [{ kind: 'add', members: [{ value: 'a' }] }],
    ],
    [
      'add under the URN',
      { op: 'add', path: `${core}:members`, value: [{ value: 'a' }] },
      [{ kind: 'add', members: [{ value: 'a' }] }],
    ],
    [
      'add of doubles',
      { op: 'add', path: 'members', value: [{ value: 'a' }, { value: 'a', type: 'User' }] },
      [{ kind: 'add', members: [{ value: 'a' }] }],
    ],
    ['add of nothing', { op: 'add', path: 'members', value: [] }, []],
    [
      'remove by filter',
      { op: 'remove', path: 'members[value eq "a"]' },
      [{ kind: 'remove', ids: ['a'] }],
    ],
    [
      'remove by a filter with or',
      { op: 'remove', path: 'members[value eq "a" or value eq "b"]' },
      [{ kind: 'remove', ids: ['a', 'b'] }],
    ],
    [
      'remove by values, as Entra ID does',
      { op: 'Remove', path: 'members', value: [{ $ref: null, value: 'a' }] },
      [{ kind: 'remove', ids: ['a'] }],
    ],
    [
      'remove by values with an empty display',
      { op: 'remove', path: 'members', value: [{ value: 'a', display: '' }] },
      [{ kind: 'remove', ids: ['a'] }],
    ],
    [
      'remove of an empty list',
      { op: 'remove', path: 'members', value: [] },
      [{ kind: 'remove', ids: [] }],
    ],
    ['remove of all', { op: 'remove', path: 'members' }, [{ kind: 'removeAll' }]],
    [
      'replace',
      { op: 'replace', path: 'members', value: [{ value: 'a' }] },
      [{ kind: 'replaceAll', members: [{ value: 'a' }] }],
    ],
    ['replace by nothing', { op: 'replace', path: 'members', value: [] }, [{ kind: 'removeAll' }]],
    ['replace by null', { op: 'replace', value: { members: null } }, [{ kind: 'removeAll' }]],
    [
      'a display name in an object without a path',
      { op: 'replace', value: { 'members[value eq "a"].display': 'A' } },
      [],
    ],
    [
      'an element that stays what it is',
      { op: 'replace', path: 'members[value eq "a"]', value: { value: 'a' } },
      [],
    ],
    [
      'add of the element that the filter names',
      { op: 'add', path: 'members[value eq "a"]', value: { type: 'User' } },
      [{ kind: 'add', members: [{ value: 'a' }] }],
    ],
  ])('%s', (_name, operation, members) => {
    expect(plan(operation)).toEqual({ attributes: [], members });
  });

  it('keeps a condition on rows for the store', () => {
    const [change] = plan({ op: 'remove', path: 'members[type eq "Group"]' }).members;
    expect(change).toMatchObject({ kind: 'removeMatching' });
    const { filter } = change as Extract<MemberChange, { kind: 'removeMatching' }>;
    expect(matchesElement(filter, { value: 'a', type: 'group' })).toBe(true);
    expect(matchesElement(filter, { value: 'a', type: 'User' })).toBe(false);
  });

  it('splits a rename with its members, as Okta sends it', () => {
    const { attributes, members } = plan(
      { op: 'replace', value: { id: 'g', displayName: 'New', members: [{ value: 'a' }] } },
      { op: 'add', path: 'externalId', value: 'x' },
    );
    expect(members).toEqual([{ kind: 'replaceAll', members: [{ value: 'a' }] }]);
    const group = { schemas: [core], displayName: 'Old' };
    expect(applyPatch(group, attributes, groupResourceType).resource).toEqual({
      schemas: [core],
      displayName: 'New',
      externalId: 'x',
    });
  });

  it.each<[string, string, JsonValue]>([
    [
      'mutability',
      'the value of a member',
      { op: 'replace', path: 'members[value eq "a"].value', value: 'b' },
    ],
    [
      'mutability',
      'the value by an object',
      { op: 'replace', path: 'members[value eq "a"]', value: { value: 'b' } },
    ],
    [
      'mutability',
      'the type of every member',
      { op: 'replace', path: 'members.type', value: 'Group' },
    ],
    [
      'mutability',
      'the display name of a member',
      { op: 'replace', path: 'members[value eq "a"].display', value: 'A' },
    ],
    ['mutability', 'every display name', { op: 'remove', path: 'members.display' }],
    [
      'noTarget',
      'a path that names no member',
      { op: 'add', path: 'members[type eq "User"]', value: {} },
    ],
    [
      'invalidValue',
      'a member without an id',
      { op: 'add', path: 'members', value: [{ display: 'A' }] },
    ],
    ['invalidValue', 'a number', { op: 'add', path: 'members', value: 5 }],
    ['invalidValue', 'no value', { op: 'add', path: 'members' }],
    ['invalidPath', 'an unknown sub-attribute', { op: 'remove', path: 'members[pet eq "x"]' }],
  ])('%s: %s', (scimType, _name, operation) => {
    expect(() => plan(operation)).toThrow(expect.objectContaining({ status: 400, scimType }));
  });

  it('plans 10,000 members quickly', () => {
    const value = Array.from({ length: 10_000 }, (_item, index) => ({ value: `user-${index}` }));
    const start = performance.now();
    const { members } = plan({ op: 'add', path: 'members', value });
    expect(members[0]).toMatchObject({ kind: 'add' });
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});

describe('netMemberChanges', () => {
  it('applies the last change of a member', () => {
    const { members } = plan(
      { op: 'add', path: 'members', value: [{ value: 'a' }, { value: 'b' }] },
      { op: 'remove', path: 'members[value eq "a"]' },
      { op: 'remove', path: 'members[value eq "c"]' },
      { op: 'add', path: 'members', value: [{ value: 'c' }] },
    );
    expect(netMemberChanges(members)).toEqual({
      reset: false,
      add: [{ value: 'b' }, { value: 'c' }],
      removeIds: ['a'],
    });
  });

  it('drops changes before a replacement of all members', () => {
    const { members } = plan(
      { op: 'add', path: 'members', value: [{ value: 'a' }] },
      { op: 'remove', path: 'members[value eq "z"]' },
      { op: 'replace', path: 'members', value: [{ value: 'b' }] },
      { op: 'remove', path: 'members[value eq "y"]' },
    );
    expect(netMemberChanges(members)).toEqual({
      reset: true,
      add: [{ value: 'b' }],
      removeIds: [],
    });
  });

  it('keeps conditions in order', () => {
    const { members } = plan({ op: 'remove', path: 'members[type eq "Group"]' });
    expect(netMemberChanges(members)).toBeUndefined();
  });

  it('agrees with PATCH on the whole group and with a simple set', () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd');
    const list = fc.array(id, { maxLength: 3 });
    const change = fc.oneof(
      fc.tuple(fc.constant('add'), list),
      fc.tuple(fc.constant('removeListed'), list),
      fc.tuple(
        fc.constant('removeFiltered'),
        id.map((each) => [each]),
      ),
      fc.tuple(fc.constant('replace'), list),
      fc.tuple(fc.constant('removeAll'), fc.constant<string[]>([])),
    );
    fc.assert(
      fc.property(list, fc.array(change, { maxLength: 6 }), (start, changes) => {
        const model = new Set(start);
        const operations = changes.map(([kind, ids]) => {
          const value = ids.map((each) => ({ value: each }));
          switch (kind) {
            case 'add':
              ids.forEach((each) => model.add(each));
              return { op: 'add', path: 'members', value };
            case 'removeListed':
              ids.forEach((each) => model.delete(each));
              return { op: 'remove', path: 'members', value };
            case 'removeFiltered':
              model.delete(ids[0]!);
              return { op: 'remove', path: `members[value eq "${ids[0]}"]` };
            case 'replace':
              model.clear();
              ids.forEach((each) => model.add(each));
              return { op: 'replace', path: 'members', value };
            default:
              model.clear();
              return { op: 'remove', path: 'members' };
          }
        });
        const wanted = [...model].sort();
        if (operations.length === 0) {
          return;
        }
        const parsed = parsePatchRequest({ Operations: operations });

        const net = netMemberChanges(planGroupPatch(parsed).members)!;
        const rows = new Set<string>(net.reset ? [] : start);
        net.removeIds.forEach((each) => rows.delete(each));
        net.add.forEach(({ value }) => rows.add(value));
        expect([...rows].sort()).toEqual(wanted);

        const members = [...new Set(start)].map((value) => ({ value }));
        const group: ScimResource = { schemas: [core], displayName: 'g', members };
        const carried = applyPatch(group, parsed, groupResourceType).resource.members ?? [];
        expect((carried as JsonObject[]).map(({ value }) => value).sort()).toEqual(wanted);
      }),
      { numRuns: 500 },
    );
  });
});
