import { without } from '../json/json-access.js';
import { type JsonObject } from '../json/json.js';
import { groupResourceType, userResourceType } from '../schema/resource-type.js';
import { parseSelection, selectAttributes } from './attribute-selection.js';

const core = 'urn:ietf:params:scim:schemas:core:2.0:User';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

const user: JsonObject = {
  schemas: [core, enterprise],
  id: '1',
  userName: 'kim',
  password: 'never',
  name: { givenName: 'Kim', familyName: 'Roe' },
  emails: [{ value: 'a@b', type: 'work' }, { value: 'c@d' }],
  badge: { code: 'A' },
  [enterprise]: { department: 'D', manager: { value: 'm', $ref: 'x' } },
  'urn:x:y:1.0:User': { z: 1, a: 2 },
};
const always = { schemas: user.schemas, id: '1' };

function only(attributes: string | string[]): JsonObject {
  return selectAttributes(user, parseSelection({ attributes }, userResourceType));
}

function excluding(excludedAttributes: string): JsonObject {
  return selectAttributes(user, parseSelection({ excludedAttributes }, userResourceType));
}

describe('attributes', () => {
  it.each<[string | string[], JsonObject]>([
    ['userName', { userName: 'kim' }],
    ['USERNAME', { userName: 'kim' }],
    [`${core.toUpperCase()}:userName`, { userName: 'kim' }],
    ['name.givenName', { name: { givenName: 'Kim' } }],
    [['Name.givenname', 'name.familyName'], { name: user.name! }],
    ['name, name.givenName', { name: user.name! }],
    ['emails.value', { emails: [{ value: 'a@b' }, { value: 'c@d' }] }],
    ['emails.type', { emails: [{ type: 'work' }] }],
    ['emails.nothing', {}],
    [enterprise, { [enterprise]: user[enterprise]! }],
    [`${enterprise}:department`, { [enterprise]: { department: 'D' } }],
    [`${enterprise}:manager.value`, { [enterprise]: { manager: { value: 'm' } } }],
    ['manager', { [enterprise]: { manager: { value: 'm', $ref: 'x' } } }],
    ['urn:x:y:1.0:User:z', { 'urn:x:y:1.0:User': { z: 1 } }],
    ['badge', { badge: { code: 'A' } }],
    ['password', {}],
    ['emails[type eq "work"]', { emails: [{ value: 'a@b', type: 'work' }] }],
    ['emails[type eq "work"].value', { emails: [{ value: 'a@b' }] }],
    ['emails[type eq "work"].value,emails.type', { emails: [{ value: 'a@b', type: 'work' }] }],
    [`${core}:EMAILS[value eq "c@d" or value eq ",]"]`, { emails: [{ value: 'c@d' }] }],
    ['emails[primary eq false].value', { emails: [{ value: 'a@b' }, { value: 'c@d' }] }],
    ['emails[primary ne false].value', {}],
    ['emails[type eq "other"],userName', { userName: 'kim' }],
    [['emails[type eq', 'userName'], { userName: 'kim' }],
    [core, without(user, 'password', 'badge', enterprise, 'urn:x:y:1.0:User')],
    ['noSuch, __proto__, a b', {}],
  ])('%j', (attributes, expected) => {
    expect(only(attributes)).toEqual({ ...always, ...expected });
  });
});

describe('excludedAttributes', () => {
  it.each<[string, string[]]>([
    ['emails', ['emails']],
    ['id,schemas', []],
    ['userName', ['userName']],
    [enterprise, [enterprise]],
    ['noSuch', []],
  ])('%s', (excluded, gone) => {
    const expected = { ...user };
    [...gone, 'password'].forEach((name) => delete expected[name]);
    expect(excluding(excluded)).toEqual(expected);
  });

  it('drops sub-attributes alone', () => {
    expect(excluding('name.familyName').name).toEqual({ givenName: 'Kim' });
    expect(excluding('emails.value').emails).toEqual([{ type: 'work' }]);
    expect(excluding('emails[type eq "work"].value').emails).toEqual([
      { type: 'work' },
      { value: 'c@d' },
    ]);
    expect(excluding(`${enterprise}:manager`)[enterprise]).toEqual({ department: 'D' });
  });
});

it('excludes by a value filter the elements that pass, and no others', () => {
  expect(excluding('emails[type eq "work"]').emails).toEqual([{ value: 'c@d' }]);
  expect(excluding('emails[value pr]').emails).toBeUndefined();
  expect(excluding('emails[type eq').emails).toEqual(user.emails);
});

describe('parseSelection', () => {
  it('returns all attributes except returned: never by default', () => {
    const rest = without(user, 'password');
    expect(selectAttributes(user, parseSelection({}, userResourceType))).toEqual(rest);
    expect(selectAttributes(user, parseSelection({ attributes: ' ' }, userResourceType))).toEqual(
      rest,
    );
  });

  it('reports which attributes must be loaded', () => {
    const includes = (parameters: object) =>
      parseSelection(parameters, groupResourceType).includes('members');
    expect(includes({})).toBe(true);
    expect(includes({ excludedAttributes: 'members' })).toBe(false);
    expect(includes({ excludedAttributes: 'members.display' })).toBe(true);
    expect(includes({ attributes: 'displayName' })).toBe(false);
    expect(includes({ attributes: 'Members.value' })).toBe(true);
  });

  it('reports whether the client named attributes', () => {
    const isAsked = (parameters: object) => parseSelection(parameters, userResourceType).isAsked;
    expect([isAsked({ attributes: 'title' }), isAsked({ attributes: '' })]).toEqual([true, false]);
    expect(isAsked({ excludedAttributes: 'title' })).toBe(false);
  });

  it('reads a long text in linear time', () => {
    const startedAt = performance.now();
    const attributes = '['.repeat(2_000_000);
    expect(only(attributes)).toEqual(always);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  it('bounds the comparisons in value filters', () => {
    const attributes = Array.from({ length: 21 }, (_, n) => `emails[value eq "${n}"]`);
    expect(() => parseSelection({ attributes }, userResourceType)).toThrow(
      expect.objectContaining({ scimType: 'invalidValue' }),
    );
  });

  it('refuses both parameters at once, and too many names', () => {
    const both = { attributes: 'a', excludedAttributes: 'b' };
    const many = { attributes: Array(201).fill('a') as string[] };
    for (const parameters of [both, many]) {
      expect(() => parseSelection(parameters, userResourceType)).toThrow(
        expect.objectContaining({ scimType: 'invalidValue' }),
      );
    }
  });
});
