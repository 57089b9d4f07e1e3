import fc from 'fast-check';
import { type JsonObject, type JsonValue } from '../src/index.js';

/**
 * Random users and filters from small pools, so that a filter often finds something. Letters whose
 * case folding differs between JavaScript and PostgreSQL (final sigma, dotted I) are left out.
 */

export interface Sample {
  /** The body of a POST. */
  body: JsonObject;
  created: string;
  /** Ids of the groups the user is in. */
  groups: string[];
}

const words = ['ann', 'Ann', 'ANNE', 'a%b', 'a_b', 'back\\slash', '"q"', "o'x", 'Zoë', 'zoË'];
const odd = ['', 'true', 'False', '5', '\u{1F600}', '\uFF5E', 'b', 'B'];
const text = fc.constantFrom(...words, ...odd);
const word = fc.constantFrom(...words);

const ids = [0, 1, 2].map((index) => `00000000-0000-4000-8000-00000000000${index}`);
const groupIds = [0, 1].map((index) => `00000000-0000-4000-9000-00000000000${index}`);
const instants = [
  '2026-01-02T03:04:05.678Z',
  '2026-01-02T03:04:05.679Z',
  '2025-12-31T23:00:00.000Z',
  '2026-06-01T00:00:00.000Z',
];

const element = fc.record(
  {
    value: text,
    type: fc.constantFrom('work', 'home', 'Work'),
    primary: fc.boolean(),
    extra: fc.constantFrom<JsonValue>('x', 5, true),
  },
  { requiredKeys: [] },
);

const loose: fc.Arbitrary<JsonValue> = fc.oneof(
  text,
  fc.constantFrom<JsonValue>(0, 5, 2.5, -1, 1e21),
  fc.boolean(),
  fc.array(fc.oneof(text, fc.constantFrom<JsonValue>(5, null)), { maxLength: 3 }),
  fc.record({ value: text, Code: fc.constantFrom<JsonValue>(5, 'b', null) }, { requiredKeys: [] }),
  fc.array(fc.record({ code: text }, { requiredKeys: [] }), { maxLength: 2 }),
);

const enterprise = fc.record(
  {
    department: text,
    manager: fc.record({ value: fc.constantFrom(...ids) }),
    custom: loose,
  },
  { requiredKeys: [] },
);

const optional = fc.record(
  {
    externalId: text,
    displayName: text,
    title: text,
    active: fc.boolean(),
    name: fc.record({ givenName: text, familyName: text, pet: loose }, { requiredKeys: [] }),
    emails: fc.array(element, { maxLength: 3 }),
    roles: fc.array(element, { maxLength: 2 }),
    addresses: fc.array(
      fc.record({ locality: text, type: fc.constantFrom('work', 'home') }, { requiredKeys: [] }),
      { maxLength: 2 },
    ),
    badge: loose,
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': enterprise,
    'urn:example:Custom:2.0:User': fc.record({ Level: loose }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);

export const samples: fc.Arbitrary<Sample> = fc
  .tuple(word, optional, fc.constantFrom(...instants), fc.subarray(groupIds))
  .map(([userName, rest, created, groups]) => ({ body: { userName, ...rest }, created, groups }));

const enterpriseUrn = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

const textPaths = [
  'userName',
  'USERNAME',
  'urn:ietf:params:scim:schemas:core:2.0:User:userName',
  'externalId',
  'displayName',
  'title',
  'name.givenName',
  'Name.FamilyName',
  'name.pet',
  'emails',
  'emails.value',
  'emails.type',
  'emails.extra',
  'roles',
  'roles.value',
  'addresses.locality',
  'schemas',
  'badge',
  'BADGE.code',
  'nothing',
  'nothing.here',
  'manager',
  `${enterpriseUrn}:department`,
  `${enterpriseUrn}:manager.value`,
  `${enterpriseUrn}:custom`,
  `${enterpriseUrn}:custom.code`,
  'urn:example:custom:2.0:user:level',
  'urn:example:custom:2.0:user:level.code',
  'groups',
  'groups.value',
  'id',
];
const presencePaths = [
  ...textPaths,
  'name',
  'active',
  'emails.primary',
  'addresses',
  enterpriseUrn,
];
const valuePaths = ['emails', 'roles', 'badge', 'schemas', 'name', 'groups', 'addresses'];
const innerPaths = ['value', 'type', 'primary', 'extra', 'code', 'givenName', 'locality'];

const operator = fc.constantFrom('eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le');
const comparand = fc.oneof(
  text.map((value) => JSON.stringify(value)),
  fc.constantFrom('5', '2.5', '1e21', 'true', 'false', 'null', '"work"', '"HOME"', '"x"'),
  fc.constantFrom(...ids, ...groupIds).map((id) => JSON.stringify(id)),
  fc.constantFrom(`"${enterpriseUrn}"`, `"URN:EXAMPLE:custom:2.0:User"`),
);

function comparisonOf(paths: string[]): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...paths), operator, comparand)
    .map(([path, name, value]) => `${path} ${name} ${value}`);
}

const booleanTest = fc
  .tuple(
    fc.constantFrom('active', 'emails.primary', 'roles.primary'),
    fc.constantFrom('eq', 'ne'),
    fc.constantFrom('true', 'false', '"True"', '"false"'),
  )
  .map((parts) => parts.join(' '));

const timeTest = fc
  .tuple(
    fc.constantFrom('meta.created', 'meta.lastModified'),
    fc.constantFrom('eq', 'ne', 'gt', 'ge', 'lt', 'le', 'co', 'sw', 'ew'),
    fc.constantFrom(...instants, '2026-01-02T05:04:05.678+02:00', '2026-01-01'),
  )
  .map(([path, name, value]) => `${path} ${name} "${value}"`);

const presence = fc.constantFrom(...presencePaths).map((path) => `${path} pr`);

function combine(leaf: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.letrec<{ filter: string }>((tie) => ({
    filter: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'filter' },
      { arbitrary: leaf, weight: 4 },
      {
        arbitrary: fc
          .tuple(tie('filter'), fc.constantFrom('and', 'or'), tie('filter'))
          .map(([left, word, right]) => `(${left}) ${word} (${right})`),
        weight: 2,
      },
      { arbitrary: tie('filter').map((inner) => `not (${inner})`), weight: 1 },
    ),
  })).filter;
}

const innerFilter = combine(
  fc.oneof(
    comparisonOf(innerPaths),
    fc.constantFrom(...innerPaths).map((path) => `${path} pr`),
  ),
);

const valuePath = fc
  .tuple(
    fc.constantFrom(...valuePaths),
    innerFilter,
    fc.constantFrom('', '', '.value eq "ann"', '.type sw "w"'),
  )
  .map(([path, inner, tail]) => `${path}[${inner}]${tail}`);

/** Filters of every kind, all of them well-formed; some do not fit the schema. */
export const filterTexts: fc.Arbitrary<string> = combine(
  fc.oneof(
    { arbitrary: comparisonOf(textPaths), weight: 4 },
    { arbitrary: presence, weight: 2 },
    { arbitrary: valuePath, weight: 3 },
    { arbitrary: booleanTest, weight: 1 },
    { arbitrary: timeTest, weight: 1 },
  ),
);

/** Attributes to sort by. */
export const sortPaths = [
  'userName',
  'externalId',
  'displayName',
  'active',
  'title',
  'name.familyName',
  'emails',
  'emails.type',
  'addresses.locality',
  'schemas',
  'manager',
  `${enterpriseUrn}:department`,
  'meta.created',
  'id',
];
