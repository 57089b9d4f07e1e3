import fc from 'fast-check';
import { coreUrn, enterpriseUrn, patched, refusal, user } from '../../test/patching.js';
import { without } from '../json/json-access.js';
import { type JsonObject, type JsonValue } from '../json/json.js';
import { normalizeResource } from '../resource/resource-normalizer.js';
import { type ScimResource } from '../resource/resource.js';
import { userResourceType } from '../schema/resource-type.js';

const urn = 'urn:example:hr:2.0:User';

/** The places of an attribute that no schema describes. */
const places: { name: string; base: (values: JsonObject) => ScimResource; prefix: string }[] = [
  { name: 'the resource', base: (values) => ({ ...user, ...values }), prefix: '' },
  ...[urn, 'urn:example:short', 'urn:example:hr:2.0', enterpriseUrn].map((each) => ({
    name: each,
    base: (values: JsonObject) => ({ ...user, schemas: [coreUrn, each], [each]: values }),
    prefix: `${each}:`,
  })),
];

/** An operation in every form that names the attribute. */
function forms(op: string, name: string, value: JsonValue, prefix: string): JsonValue[] {
  const path = prefix + name;
  const upper = { op, path: prefix + name.toUpperCase(), value };
  const flat = [{ op, path, value }, upper, { op, value: [{ [name]: value }] }];
  if (prefix === '') return [...flat, { op, value: { [name.toUpperCase()]: value } }];
  const extension = prefix.slice(0, -1);
  return [
    { op, path, value },
    upper,
    { op, path: extension, value: { [name]: value } },
    { op, path: extension.toUpperCase(), value: [{ [name.toUpperCase()]: value }] },
    { op, value: { [extension]: { [name]: value } } },
  ];
}

function valuesIn(resource: JsonObject, prefix: string): JsonObject {
  if (prefix !== '') return (resource[prefix.slice(0, -1)] ?? {}) as JsonObject;
  return without(resource, ...Object.keys(user));
}

/** A new name is kept as it was sent. */
function lowerCase(values: JsonObject): JsonValue {
  return JSON.parse(JSON.stringify(values).toLowerCase()) as JsonValue;
}

describe.each(places)('PATCH of an attribute of $name that no schema describes', (place) => {
  const { base, prefix } = place;

  it.each<[string, JsonObject, [string, string, JsonValue], JsonObject]>([
    ['appends to a list', { l: ['a', 'b'] }, ['add', 'l', ['c']], { l: ['a', 'b', 'c'] }],
    ['appends one value', { l: ['a'] }, ['add', 'l', 'c'], { l: ['a', 'c'] }],
    ['adds no value twice', { l: ['a', 1] }, ['add', 'l', ['a', 1]], { l: ['a', 1] }],
    ['adds no null', { l: ['a'] }, ['add', 'l', [null, 'b', {}, []]], { l: ['a', 'b'] }],
    ['adds nothing', { l: ['a'] }, ['add', 'l', []], { l: ['a'] }],
    ['replaces a list', { l: ['a', 'b'] }, ['replace', 'l', ['c']], { l: ['c'] }],
    ['empties a list', { l: ['a'], k: 1 }, ['replace', 'l', []], { k: 1 }],
    ['replaces a value', { k: 1 }, ['replace', 'k', 2], { k: 2 }],
    ['adds in place of a value', { k: 1 }, ['add', 'k', 2], { k: 2 }],
    ['takes null for absent', { k: 1, j: 1 }, ['replace', 'k', null], { j: 1 }],
    ['takes an empty text for absent', { k: 1, j: 1 }, ['replace', 'k', ''], { j: 1 }],
    ['stores no null', { j: 1 }, ['add', 'o', { a: null, b: [], c: 1 }], { j: 1, o: { c: 1 } }],
    [
      'merges by add',
      { o: { a: 1, b: [2] } },
      ['add', 'o', { B: [3] }],
      { o: { a: 1, b: [2, 3] } },
    ],
    ['merges by replace', { o: { a: 1, b: 2 } }, ['replace', 'o', { A: 9 }], { o: { a: 9, b: 2 } }],
    [
      'merges in depth',
      { o: { p: { a: [1], b: 2 } } },
      ['add', 'o', { P: { A: [3], c: null } }],
      { o: { p: { a: [1, 3], b: 2 } } },
    ],
    ['removes parts', { o: { a: 1, b: 2 } }, ['replace', 'o', { a: null }], { o: { b: 2 } }],
    ['removes the last part', { o: { a: 1 }, k: 1 }, ['replace', 'o', { a: [] }], { k: 1 }],
    [
      'follows a dotted name into a list',
      { deep: { l: [1], name: 'n' } },
      ['add', 'deep.l', [2]],
      { deep: { l: [1, 2], name: 'n' } },
    ],
    [
      'appends one value below a dotted name',
      { deep: { l: [1], name: 'n' } },
      ['add', 'deep.l', 2],
      { deep: { l: [1, 2], name: 'n' } },
    ],
    [
      'replaces a list below a dotted name',
      { deep: { l: [1], name: 'n' } },
      ['replace', 'deep.l', [2]],
      { deep: { l: [2], name: 'n' } },
    ],
    [
      'merges an object below a dotted name',
      { deep: { o: { a: 1 }, name: 'n' } },
      ['replace', 'deep.o', { b: 2 }],
      { deep: { o: { a: 1, b: 2 }, name: 'n' } },
    ],
    [
      'makes what a dotted name needs',
      { k: 1 },
      ['add', 'deep.l', [2]],
      { k: 1, deep: { l: [2] } },
    ],
    [
      'merges equal elements',
      { l: [{ value: 'a', type: 't', primary: true }] },
      ['add', 'l', [{ value: 'A', type: 'T', note: 'n', primary: false }]],
      { l: [{ value: 'a', type: 't', primary: true, note: 'n' }] },
    ],
    [
      'keeps one primary',
      { l: [{ value: 'a', primary: true }] },
      ['add', 'l', { value: 'b', primary: true }],
      {
        l: [
          { value: 'a', primary: false },
          { value: 'b', primary: true },
        ],
      },
    ],
  ])('%s', (_name, before, [op, name, value], expected) => {
    for (const operation of forms(op, name, value, prefix)) {
      const { resource } = patched([operation], base(before));
      const values = lowerCase(valuesIn(resource, prefix));
      expect({ operation, values }).toEqual({ operation, values: expected });
      expect(normalizeResource(resource, userResourceType)).toEqual(resource);
    }
  });

  it.each<[string, JsonObject, JsonObject & { path: string }, JsonObject]>([
    ['a list', { l: [1], k: 1 }, { path: 'L' }, { k: 1 }],
    ['values of a list', { l: [1, 2] }, { path: 'l', value: [2, 3] }, { l: [1] }],
    ['a part', { o: { a: 1, b: 2 } }, { path: 'O.A' }, { o: { b: 2 } }],
    ['values of a part', { o: { l: [1, 2] } }, { path: 'o.l', value: [1] }, { o: { l: [2] } }],
    [
      'elements by filter',
      { l: [{ value: 'a' }, { value: 'b' }] },
      { path: 'l[value eq "a"]' },
      { l: [{ value: 'b' }] },
    ],
    [
      'a part of elements',
      { l: [{ value: 'a', t: 1 }, { value: 'b' }] },
      { path: 'l.t' },
      { l: [{ value: 'a' }, { value: 'b' }] },
    ],
  ])('removes %s', (_name, before, operation, expected) => {
    const remove = { ...operation, op: 'remove', path: prefix + operation.path };
    expect(valuesIn(patched([remove], base(before)).resource, prefix)).toEqual(expected);
  });

  it('keeps an object an object behind a filter', () => {
    const path = `${prefix}deep[name eq "n"].name`;
    const { resource } = patched(
      [{ op: 'replace', path, value: 'm' }],
      base({ deep: { name: 'n' } }),
    );
    expect(valuesIn(resource, prefix)).toEqual({ deep: { name: 'm' } });
  });

  it('refuses a path into a text', () => {
    const operation = { op: 'add', path: `${prefix}k.a`, value: 1 };
    expect(refusal([operation], base({ k: 'x' }))).toMatchObject({ scimType: 'noTarget' });
  });

  it.each([2 ** 53, Infinity, NaN])('refuses the number %s', (value) => {
    const operation = { op: 'add', path: `${prefix}k`, value: { a: [value] } };
    expect(refusal([operation], base({}))).toMatchObject({
      scimType: 'invalidValue',
      detail: expect.stringContaining(`${prefix}k.a`) as string,
    });
  });
});

describe('PATCH of an extension without a schema', () => {
  it('finds it in another case', () => {
    const base = { ...user, schemas: [coreUrn, urn], [urn]: { k: 1 } };
    const operations = [
      { op: 'replace', value: { [urn.toUpperCase()]: { K: 2 } } },
      { op: 'add', value: { [`${urn.toUpperCase()}:J`]: 3 } },
    ];
    expect(patched(operations, base).resource).toEqual({ ...base, [urn]: { k: 2, J: 3 } });
  });

  it('keeps names that are no attribute names', () => {
    const value = { 'my attr': 1, '1st': 2, 'a:b': 3, 'x.': 4 };
    const base = { ...user, schemas: [coreUrn, urn], [urn]: value };
    const { resource } = patched([{ op: 'add', value: { [urn]: { '1ST': 5 } } }], base);
    expect(resource[urn]).toEqual({ ...value, '1st': 5 });
  });

  it('goes with its last attribute, and its URN too', () => {
    const base = { ...user, schemas: [coreUrn, urn], [urn]: { k: 1 } };
    expect(patched([{ op: 'replace', value: { [urn]: { K: null } } }], base).resource).toEqual(
      user,
    );
  });

  it('takes a thousand names at once', () => {
    const values = (start: number) =>
      Object.fromEntries(Array.from({ length: 1_000 }, (_each, index) => [`k${index}`, start]));
    const base = { ...user, schemas: [coreUrn, urn], [urn]: values(0) };
    const { resource } = patched([{ op: 'replace', value: { [urn]: values(1) } }], base);
    expect(resource[urn]).toEqual(values(1));
  });

  it('refuses what a PUT could not send back', () => {
    let value: JsonValue = 1;
    for (let level = 0; level < 32; level += 1) value = [value];
    const base = { ...user, schemas: [coreUrn, urn], [urn]: { k: 1 } };
    const operation = { op: 'add', path: `${urn}:deep.l`, value };
    expect(refusal([operation], base)).toMatchObject({ scimType: 'invalidValue' });
  });
});

it('leaves a resource that can be sent back by PUT', () => {
  const name = fc.constantFrom('l', 'L', 'o', 'o.l', 'O.p', 'k', 'emails', 'name', 'roles.type');
  const prefix = fc.constantFrom('', `${urn}:`, `${enterpriseUrn}:`, 'urn:x:y:');
  const leaf = fc.constantFrom<JsonValue>(1, 'a', 'A', null, '', true);
  const part = fc.dictionary(fc.constantFrom('a', 'A', 'value', 'type', 'l'), leaf);
  const list = fc.array(fc.oneof(leaf, part), { maxLength: 3 });
  const object = fc.dictionary(
    fc.constantFrom('value', 'type', 'l', 'p'),
    fc.oneof(leaf, part, list),
  );
  const operation = fc.record({
    op: fc.constantFrom('add', 'replace', 'remove'),
    path: fc.tuple(prefix, name).map((parts) => parts.join('')),
    value: fc.oneof(leaf, list, object),
  });
  let applied = 0;
  fc.assert(
    fc.property(fc.array(operation, { minLength: 1, maxLength: 8 }), (operations) => {
      let current: ScimResource = user;
      for (const { op, path, value } of operations) {
        const each: JsonValue[] = [{ op, path, value }];
        if (op !== 'remove') each.push({ op, value: { [path]: value } });
        for (const sent of each) {
          try {
            current = patched([sent], current).resource;
            applied += 1;
          } catch (error) {
            expect(error).toMatchObject({ name: 'ScimError', status: 400 });
          }
        }
      }
      expect(normalizeResource(current, userResourceType)).toEqual(current);
    }),
    { numRuns: 500 },
  );
  expect(applied).toBeGreaterThan(500);
});
