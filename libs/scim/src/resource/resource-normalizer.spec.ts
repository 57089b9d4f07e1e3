import fc from 'fast-check';
import { samples } from '../../test/samples.js';
import { without } from '../json/json-access.js';
import { type JsonObject } from '../json/json.js';
import { groupResourceType, userResourceType } from '../schema/resource-type.js';
import { normalizeResource } from './resource-normalizer.js';

const core = 'urn:ietf:params:scim:schemas:core:2.0:User';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

function normal(body: JsonObject): JsonObject {
  return normalizeResource({ userName: 'u', ...body }, userResourceType);
}

/** The attributes that a body adds to a minimal user. */
function kept(body: JsonObject): JsonObject {
  return without(normal(body), 'userName', 'schemas');
}

describe('normalizeResource', () => {
  it('keeps a body of Okta except the password and empty values', () => {
    const body = {
      schemas: [core],
      userName: 'mia.poe@example.org',
      name: { givenName: 'Mia', familyName: 'Poe' },
      emails: [{ primary: true, value: 'mia.poe@example.org', type: 'work' }],
      displayName: 'Mia Poe',
      locale: 'en-US',
      externalId: '00uABC',
      groups: [],
      password: '1mz050nq',
      active: true,
    };
    const stored = without(body, 'groups', 'password');
    expect(normalizeResource(body, userResourceType)).toEqual(stored);
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['names in another case', { NAME: { GIVENNAME: 'A' } }, { name: { givenName: 'A' } }],
    ['booleans as text', { active: 'True' }, { active: true }],
    [
      'booleans as text in elements',
      { roles: [{ value: 'r', primary: 'false' }] },
      { roles: [{ value: 'r', primary: false }] },
    ],
    ['one object for a list', { emails: { value: 'a@b' } }, { emails: [{ value: 'a@b' }] }],
    ['a text for an element', { emails: ['a@b'] }, { emails: [{ value: 'a@b' }] }],
    ['a text for a list', { phoneNumbers: '1' }, { phoneNumbers: [{ value: '1' }] }],
    [
      'numbers for text',
      { title: 5, phoneNumbers: [{ value: 5 }] },
      { title: '5', phoneNumbers: [{ value: '5' }] },
    ],
    ['null and empty lists', { title: null, emails: null, phoneNumbers: [], ims: [null] }, {}],
    ['empty objects', { name: {}, emails: [{}], [enterprise]: {} }, {}],
    ['nulls inside', { name: { givenName: null, familyName: 'B' } }, { name: { familyName: 'B' } }],
    ['the empty text', { title: '' }, { title: '' }],
    ['read-only attributes', { id: 'x', meta: { version: 'x' }, groups: [{ value: 'g' }] }, {}],
    ['a password', { password: 's3cret', PASSWORD_HINT: 'x' }, { PASSWORD_HINT: 'x' }],
    [
      'doubled elements',
      {
        emails: [
          { value: 'a@b', type: 'work' },
          { value: 'A@b', type: 'Work' },
        ],
      },
      { emails: [{ value: 'a@b', type: 'work' }] },
    ],
    [
      'doubles without a value, of which one is primary',
      { addresses: [{ type: 'home' }, { type: 'home', primary: true }, { type: 'work' }] },
      { addresses: [{ type: 'home', primary: true }, { type: 'work' }] },
    ],
    [
      'two primary elements',
      {
        emails: [
          { value: 'a', primary: true },
          { value: 'b', primary: true },
        ],
      },
      {
        emails: [
          { value: 'a', primary: true },
          { value: 'b', primary: false },
        ],
      },
    ],
    [
      'equal elements, of which a later one is primary',
      {
        emails: [
          { value: 'a', type: 'work', display: 'A' },
          { value: 'b', primary: true },
          { value: 'A', type: 'Work', primary: true, note: 'n' },
        ],
      },
      {
        emails: [
          { value: 'a', type: 'work', display: 'A', note: 'n', primary: true },
          { value: 'b', primary: false },
        ],
      },
    ],
    [
      'lists of one for single values',
      {
        title: ['T'],
        active: [null, 'True'],
        name: [{ givenName: ['A'] }],
        nickName: [{ value: 'N' }],
        emails: [{ value: ['a@b'] }],
        [enterprise]: [{ department: ['D'], manager: ['m'] }],
      },
      {
        title: 'T',
        active: true,
        name: { givenName: 'A' },
        nickName: 'N',
        emails: [{ value: 'a@b' }],
        [enterprise]: { department: 'D', manager: { value: 'm' } },
      },
    ],
    ['a list without elements for a single value', { title: [], name: [], active: [null] }, {}],
    [
      'an object that repeats the name',
      { emails: { EMAILS: ['a@b'] } },
      { emails: [{ value: 'a@b' }] },
    ],
    [
      'absent values of what is unknown',
      {
        a: null,
        b: [],
        c: {},
        d: { e: null, f: [], g: {} },
        h: [null, {}],
        'urn:x:y:z': { i: [] },
      },
      {},
    ],
    [
      'doubles in what is unknown',
      { badge: [{ value: 'a' }, { value: 'A', primary: true }, 'x', 'x'] },
      { badge: [{ value: 'a', primary: true }, 'x'] },
    ],
    [
      'dotted names',
      {
        'name.givenName': 'A',
        Deep: { a: 1 },
        'deep.b': 2,
        'x.y': { z: [3] },
        'emails.value': 'a@b',
      },
      {
        name: { givenName: 'A' },
        Deep: { a: 1, b: 2 },
        x: { y: { z: [3] } },
        emails: [{ value: 'a@b' }],
      },
    ],
    [
      'attributes of unknown extensions under their URN',
      { 'urn:x:y:2.0:User:k': 1, 'urn:x:y:2.0:User:deep.l': [2], 'urn:x:y:2.0:User': { j: 3 } },
      { 'urn:x:y:2.0:User': { j: 3, k: 1, deep: { l: [2] } } },
    ],
    [
      'unknown attributes of a known extension under its URN',
      { [`${enterprise}:badge`]: 1, [`${enterprise}:manager.value`]: 'm' },
      { [enterprise]: { badge: 1, manager: { value: 'm' } } },
    ],
    [
      'a list of one for an unknown extension of schemas',
      { schemas: [core, 'urn:x:hr:2.0:User'], 'urn:x:hr:2.0:User': [{ a: 1 }] },
      { 'urn:x:hr:2.0:User': { a: 1 } },
    ],
    [
      'no value for an unknown extension of schemas',
      { schemas: [core, 'urn:x:hr:2.0:User'], 'urn:x:hr:2.0:User': null },
      {},
    ],
    [
      'an attribute of an extension beside one that has it as its name',
      { schemas: ['urn:x:hr:2.0:User'], 'urn:x:hr:2.0:User': { a: 1 }, 'urn:x:hr:2.0': { b: 2 } },
      { 'urn:x:hr:2.0:User': { a: 1 }, 'urn:x:hr:2.0': { b: 2 } },
    ],
    [
      'schemas of other types as keys',
      { 'urn:ietf:params:scim:schemas:core:2.0:Group': { displayName: 'G' } },
      {},
    ],
    [
      'types that are not canonical',
      { emails: [{ value: 'a', type: 'ship' }] },
      { emails: [{ value: 'a', type: 'ship' }] },
    ],
    [
      'unknown attributes',
      { user_name: 'K', badge: { Code: [1, 'a', { b: [2] }] } },
      { user_name: 'K', badge: { Code: [1, 'a', { b: [2] }] } },
    ],
    [
      'names that are no attributes in an unknown extension',
      { 'urn:x:y:z': { '1ST': 1, 'a b': 2, 'o.p.q': 3 } },
      { 'urn:x:y:z': { '1ST': 1, 'a b': 2, 'o.p.q': 3 } },
    ],
    [
      'names that begin as the names of attributes may not, but as paths may',
      { _a: 1, '-b': 2, $ref: 3, x$y: 4 },
      { _a: 1, '-b': 2, $ref: 3, x$y: 4 },
    ],
    ['unknown sub-attributes', { name: { pet: 'Rex' } }, { name: { pet: 'Rex' } }],
    [
      'a manager as text',
      { [enterprise]: { manager: 'm' } },
      { [enterprise]: { manager: { value: 'm' } } },
    ],
    [
      'a manager as a list',
      { [enterprise]: { manager: [{ value: 'm' }] } },
      { [enterprise]: { manager: { value: 'm' } } },
    ],
    [
      'a manager of SCIM 1.1',
      { [enterprise]: { manager: { managerId: '42', displayName: 'B' } } },
      { [enterprise]: { manager: { value: '42' } } },
    ],
    [
      'the extension of SCIM 1.1',
      { 'urn:scim:schemas:extension:enterprise:1.0': { department: 'D' } },
      { [enterprise]: { department: 'D' } },
    ],
    [
      'an extension in another case',
      { [enterprise.toUpperCase()]: { DEPARTMENT: 'D' } },
      { [enterprise]: { department: 'D' } },
    ],
    [
      'an attribute under its URN',
      { [`${enterprise}:department`]: 'D' },
      { [enterprise]: { department: 'D' } },
    ],
    [
      'both spellings at once',
      { [`${enterprise}:department`]: 'D', [enterprise]: { division: 'E' } },
      { [enterprise]: { department: 'D', division: 'E' } },
    ],
    ['the base schema as a key', { [core]: { title: 'T' } }, { title: 'T' }],
    ['a core attribute under its URN', { [`${core}:title`]: 'T' }, { title: 'T' }],
  ])('%s', (_name, body, expected) => {
    expect(kept(body)).toEqual(expected);
  });

  it.each<[string, JsonObject, string[]]>([
    ['are inferred when absent', {}, [core]],
    ['gain the base schema', { schemas: [] }, [core]],
    [
      'gain the extension in use',
      { schemas: [core], [enterprise]: { department: 'D' } },
      [core, enterprise],
    ],
    ['lose doubles of another case', { schemas: [core, core.toUpperCase()] }, [core]],
    [
      'are translated from SCIM 1.1',
      { schemas: ['urn:scim:schemas:core:1.0', 'urn:scim:schemas:extension:enterprise:1.0'] },
      [core, enterprise],
    ],
    ['keep what is not known', { schemas: [core, 'urn:x:y'] }, [core, 'urn:x:y']],
    [
      'lose what is no URI or of another type',
      {
        schemas: [
          core,
          '',
          'new',
          'urn:x y',
          'urn:ietf:params:scim:schemas:core:2.0:Group',
          'urn:ietf:params:scim:api:messages:2.0:PatchOp',
        ],
      },
      [core],
    ],
    [
      'gain an unknown extension in use',
      { 'urn:x:my:custom:schema': { a: 1 } },
      [core, 'urn:x:my:custom:schema'],
    ],
    ['may be one text', { schemas: core }, [core]],
  ])('schemas %s', (_name, body, schemas) => {
    expect(normal(body).schemas).toEqual(schemas);
  });

  it.each<[string, unknown, string]>([
    ['no userName', { displayName: 'x' }, 'userName is required.'],
    ['an empty userName', { userName: ' ' }, 'userName'],
    [
      'too many attributes',
      {
        userName: 'u',
        ...Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`k${n}`, n])),
      },
      'The User',
    ],
    ['a number that lost digits', { userName: 'u', externalId: 2 ** 60 }, 'externalId'],
    ['a number beyond all numbers', { userName: 'u', note: [Infinity] }, 'note'],
    ['a number as userName', { userName: 42 }, 'userName'],
    ['a wrong boolean', { userName: 'u', active: 'maybe' }, 'active'],
    ['a number as boolean', { userName: 'u', active: 1 }, 'active'],
    ['a text as name', { userName: 'u', name: 'Ann' }, 'name'],
    ['a number as a list', { userName: 'u', emails: 17 }, 'emails'],
    ['two names', { userName: 'u', name: [{ givenName: 'one' }, { givenName: 'two' }] }, 'name'],
    ['two texts', { userName: 'u', displayName: ['a', 'b'] }, 'displayName'],
    [
      'two texts in an object',
      { userName: 'u', name: { givenName: ['a', 'b'] } },
      'name.givenName',
    ],
    ['two userNames', { userName: ['a', 'b'] }, 'userName'],
    ['no userName in a list', { userName: [] }, 'userName is required.'],
    ['two extensions', { userName: 'u', [enterprise]: [{}, {}] }, enterprise],
    ['a number beyond 2^53', { userName: 'u', badge: { n: 2 ** 53 } }, 'badge.n'],
    ['a dotted name twice', { userName: 'u', 'a.b': 1, 'A.b': 2 }, 'more than once'],
    [
      'a dotted name beside its object',
      { userName: 'u', name: { givenName: 'H' }, 'NAME.givenname': 'G' },
      'The User has "name.givenName" more than once.',
    ],
    [
      'a dotted name before its unknown object',
      { userName: 'u', 'O.K': 2, o: { k: 1 } },
      'The User has "o.K" more than once.',
    ],
    ['a dotted name beside a text', { userName: 'u', o: 'x', 'o.k': 2 }, '"o" more than once'],
    [
      'a dotted name beside its object in an extension',
      { userName: 'u', 'urn:x:y:z': { o: { k: 1 }, 'o.K': 2 } },
      'urn:x:y:z has "o.K" more than once.',
    ],
    [
      'a dotted URN beside its object',
      { userName: 'u', 'urn:x:y:z': { o: { k: 1 } }, 'urn:x:y:z:o.k': 2 },
      'urn:x:y:z has "o.k" more than once.',
    ],
    [
      'a manager under two names',
      { userName: 'u', [enterprise]: { manager: { value: 'm' }, 'manager.managerId': 'n' } },
      `${enterprise} has "manager.value" more than once.`,
    ],
    ...['$x', 'a b', '1z', 'a/b', '', 'o.p.q', 'o.', '.o', 'o.1', 'é'].flatMap<
      [string, JsonObject, string]
    >((name) => [
      [`the name "${name}"`, { userName: 'u', [name]: 1 }, `The User has the name "${name}"`],
      [
        `the name "${name}" in an extension`,
        { userName: 'u', [enterprise]: { [name]: 1 } },
        `${enterprise} has the name "${name}"`,
      ],
    ]),
    ['a URN that is no path', { userName: 'u', 'urn:x:y:$z': 1 }, 'urn:x:y:$z'],
    ['a URN with a space', { userName: 'u', 'a b:c': [1] }, 'a b:c'],
    ['two managers', { userName: 'u', [enterprise]: { manager: ['a', 'b'] } }, 'manager'],
    ['an object as text', { userName: 'u', title: {} }, 'title'],
    ['an object as value', { userName: 'u', emails: [{ value: {} }] }, 'emails.value'],
    ['a list as extension', { userName: 'u', [enterprise]: ['x'] }, enterprise],
    ...['abc', 5, true, [{ a: 1 }, { a: 2 }], ['x'], [[]]].flatMap<[string, JsonObject, string]>(
      (value) =>
        ['urn:x:hr:2.0:User', 'urn:x:hr:2.0', 'urn:x:hr'].map<[string, JsonObject, string]>(
          (urn) => [
            `${JSON.stringify(value)} for the extension ${urn} of schemas`,
            { userName: 'u', [urn]: value, schemas: [core, urn.toUpperCase()] },
            `${urn} must be an object.`,
          ],
        ),
    ),
    ['schemas that are no texts', { schemas: [5], userName: 'u' }, 'schemas'],
    ['a name twice', { userName: 'u', USERNAME: 'v' }, 'more than once'],
    ['an unknown name twice', { userName: 'u', badge: 1, Badge: 2 }, 'more than once'],
    ['U+0000', { userName: 'u', title: 'a\u0000b' }, 'title'],
    ['U+0000 in what is unknown', { userName: 'u', badge: [{ a: '\u0000' }] }, 'badge.a'],
    ['U+0000 in a name', { userName: 'u', 'a\u0000': 1 }, 'The User'],
    ['half a surrogate pair', { userName: 'u\ud800' }, 'userName'],
    ['too many elements', { userName: 'u', emails: Array(1_001).fill('a@b') }, 'emails'],
  ])('refuses %s and names it', (_name, body, detail) => {
    expect(() => normalizeResource(body, userResourceType)).toThrow(
      expect.objectContaining({
        status: 400,
        scimType: 'invalidValue',
        detail: expect.stringContaining(detail),
      }),
    );
  });

  it.each([[[]], [null], [undefined], ['x'], [5]])('refuses the body %j', (body) => {
    expect(() => normalizeResource(body, userResourceType)).toThrow(
      expect.objectContaining({ status: 400, scimType: 'invalidSyntax' }),
    );
  });

  it.each(['__proto__', 'constructor', 'prototype', 'Constructor'])(
    'refuses the name %s in every position',
    (name) => {
      const hostile = JSON.parse(`{"${name}":{"polluted":true}}`) as JsonObject;
      const bodies = [
        hostile,
        { name: hostile },
        { emails: [hostile] },
        { badge: { a: [hostile] } },
      ];
      for (const body of [...bodies, { [enterprise]: hostile }, { 'urn:x:y:z': hostile }]) {
        const whole = Object.assign(Object.create(null) as JsonObject, body, { userName: 'u' });
        const source = body === hostile ? { ...hostile, userName: 'u' } : whole;
        expect(() => normalizeResource(source, userResourceType)).toThrow(
          expect.objectContaining({ scimType: 'invalidValue' }),
        );
      }
      expect({}).not.toHaveProperty('polluted');
    },
  );

  it('refuses deeply nested objects', () => {
    const deep = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`) as never;
    expect(() => normal({ badge: deep })).toThrow(
      expect.objectContaining({ scimType: 'invalidValue' }),
    );
  });

  it('requires the name of a group, and keeps its members', () => {
    expect(() => normalizeResource({}, groupResourceType)).toThrow('displayName is required.');
    const group = { displayName: 'G', members: [{ value: 'a' }, { value: 'a', display: 'A' }] };
    expect(normalizeResource(group, groupResourceType)).toMatchObject({
      members: [{ value: 'a' }],
    });
  });

  it('leaves a canonical resource unchanged', () => {
    fc.assert(
      fc.property(samples, ({ body }) => {
        const once = normalizeResource(body, userResourceType);
        expect(normalizeResource(once, userResourceType)).toEqual(once);
      }),
      { numRuns: 300 },
    );
  });

  it('accepts any JSON or refuses it with a ScimError', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (value, other) => {
        const body = {
          userName: 'u',
          name: value,
          emails: other,
          badge: value,
          [enterprise]: other,
        };
        try {
          normalizeResource(body, userResourceType);
        } catch (error) {
          expect(error).toMatchObject({ name: 'ScimError', status: 400 });
        }
      }),
      { numRuns: 500 },
    );
  });
});
