import { groupResourceType, userResourceType } from '../schema/resource-type.js';
import { parseSelection, selectAttributes } from './attribute-selection.js';
import { without } from './json-access.js';
import { type JsonObject } from './resource.js';

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
    expect(excluding(`${enterprise}:manager`)[enterprise]).toEqual({ department: 'D' });
  });
});

describe('parseSelection', () => {
  it('gives everything but what is never returned, when nothing is asked for', () => {
    const rest = without(user, 'password');
    expect(selectAttributes(user, parseSelection({}, userResourceType))).toEqual(rest);
    expect(selectAttributes(user, parseSelection({ attributes: ' ' }, userResourceType))).toEqual(
      rest,
    );
  });

  it('tells what has to be loaded', () => {
    const includes = (parameters: object) =>
      parseSelection(parameters, groupResourceType).includes('members');
    expect(includes({})).toBe(true);
    expect(includes({ excludedAttributes: 'members' })).toBe(false);
    expect(includes({ excludedAttributes: 'members.display' })).toBe(true);
    expect(includes({ attributes: 'displayName' })).toBe(false);
    expect(includes({ attributes: 'Members.value' })).toBe(true);
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
