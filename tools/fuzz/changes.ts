/** Changes of a valid request: values that its description has a place for, right and wrong ones. */
import * as fc from 'fast-check';
import { type Draft, type Operation, type Schema } from './operation.js';

export interface Changes {
  query: Record<string, unknown>;
  headers: Record<string, string>;
  /** Members that replace those of the body. */
  members: Record<string, unknown>;
  /** In place of the body. */
  body?: { json: unknown } | { bytes: Uint8Array };
  /** In place of a segment of the path, by its number from the end. */
  segment?: { fromEnd: number; text: string };
  /** Names what the other tenant owns, with the credential of this one. */
  trespasses: boolean;
}

export const NO_CHANGES: Changes = { query: {}, headers: {}, members: {}, trespasses: false };

const CHANGED_MAX = 3;
const DEPTH_MAX = 5;
const words = (text: string) => text.trim().split(/\s+/);
const readAs = (values: readonly string[], names: string) =>
  Object.fromEntries(words(names).map((name) => [name, values]));
/** Texts that careless services read wrongly. */
const TEXTS = [
  '',
  ' ',
  'a\u0000b',
  '\ud800',
  '\ufeff\u202eﬀİıſe\u0301',
  'x'.repeat(5_000),
  'x'.repeat(70_000),
  'a\r\nSet-Cookie: a=b',
  "'; DROP TABLE users; --",
  ...words(
    '%00 %c0%af ../../etc/passwd ${7*7}{{7*7}} <script> null NaN __proto__ constructor -1 1e999',
  ),
  ...words(
    '99999999999999999999 2026-02-30T25:61:61Z 9999-12-31T23:59:59Z -5m 00000000-0000-0000-0000',
  ),
];
const VALUES = JSON.parse(
  '[null, true, 0, -1, 1.5, 1e308, 9007199254740992, [], {}, [null], {"toString": 1}, {"$ref": "#"}]',
) as unknown[];
const PATHS = [
  'emails[type eq "work"].value',
  'members[value eq "x"]',
  ...words('emails[ name.givenName.x name. id meta schemas password __proto__.x emails.value'),
  ...words('urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager.value urn:x:'),
];
const CREDENTIALS = [
  ...words(
    'gate_sk_x a.b.c .. eyJhbGciOiJub25lIn0.e30. eyJhbGciOiJIUzI1NiJ9.e30.AAAA AgEQeA AgEAAA',
  ),
  `eyJhbGciOiJFZERTQSJ9.${'W1tb'.repeat(2_000)}.AAAA`,
];
const TOKENS = words('AAAA e30 bnVsbA W10 eyJhIjoxfQ = -1');
const URLS = words(`http://127.0.0.1:1/ http://[::ffff:127.0.0.1]/ http://169.254.169.254/ https://
  https://u:p@example.com/ https://example.com:99999/ //example.com javascript:alert(1) file:///etc/passwd
  https://xn--/ https://１２７.０.０.１/`);
/** By the last part of a name, in lower case: how only it is read. */
const BY_NAME: Readonly<Record<string, readonly unknown[]>> = {
  filter: [
    'userName eq "a" and',
    'not (not (userName pr))',
    'emails[emails[value pr]]',
    'userName eq "\\ud800"',
    'userName co "%_\\\\"',
    'meta.created gt "x"',
    'active gt true',
    '__proto__ pr',
    'actor_id="',
    'actor_id="a" AND status=KEY_STATUS_ACTIVE',
    Array(200).fill('userName pr').join(' or '),
    `${'('.repeat(3_000)}userName pr`,
  ],
  ...readAs(PATHS, 'path attributes sortby'),
  ...readAs(CREDENTIALS, 'credential raw_key'),
  ...readAs(TOKENS, 'csrf_token page_token cursor after'),
  op: words('add remove replace ADD move'),
  schema: [
    { $ref: '#' },
    { $ref: 'https://example.com/schema.json' },
    { type: 'object', properties: { traits: { pattern: '(a+)+$' } } },
    { type: 'object', properties: { traits: { type: 'array', items: { maxItems: -1 } } } },
  ],
};
/** Names of fields that fold into trees. */
const FIELDS = [
  '',
  '\u0000',
  Array(200).fill('a').join('.'),
  ...words(
    'traits. traits..email traits.email.first traits.__proto__.x traits[email] traits[][] then',
  ),
  ...words(
    'traits.tags.-1 traits.tags.99999999999 constructor.prototype.x __proto__ a";filename="x',
  ),
];
const HEADERS: Readonly<Record<string, readonly string[]>> = {
  accept: ['text/html', 'application/json;q=0', '/;,;', 'x'.repeat(4_000)],
  authorization: ['', 'Bearer', 'Bearer x', 'Basic eDp4', 'Api-Key'],
  'content-type': ['text/plain', 'application/json; charset=x', 'multipart/form-data', '/'],
  'if-match': ['*', 'W/"1"', '"', 'W/"99999999999999999999"'],
  cookie: ['a=b', '=', '__Host-x=y; '.repeat(200)],
  origin: ['null', 'https://evil.example'],
  'x-request-id': ['a'.repeat(2_000), '{}'],
  'x-api-key': ['', 'a.b.c', 'x'.repeat(6_000)],
};
const SEGMENTS = [
  '',
  'x'.repeat(3_000),
  ...words('%00 %ZZ %c0%ae %ed%a0%80 .. %2e%2e %2f -1 __proto__ ;a=b :revoke .search'),
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
];

const anyText = fc.oneof(fc.constantFrom(...TEXTS), fc.string({ unit: 'binary', maxLength: 40 }));
const anything = fc.oneof(
  { weight: 3, arbitrary: anyText },
  { weight: 2, arbitrary: fc.constantFrom(...VALUES) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom(...[10, 1_000].flatMap(nested)) },
);

export function changesOf({
  query,
  headers,
  body,
  schemas,
  service,
}: Operation): fc.Arbitrary<Changes> {
  const read = new Reader(schemas);
  const members = read.some(read.propertiesOf(body ?? {}));
  const instead = fc.oneof(
    anything.map((json) => ({ json })),
    fc.uint8Array({ maxLength: 50 }).map((bytes) => ({ bytes })),
    fc
      .constantFrom('{', '{"a":1,', '[[[[', '{"a":NaN}')
      .map((text) => ({ bytes: Buffer.from(text) })),
  );
  const known = Object.fromEntries(
    Object.entries({
      ...Object.fromEntries(Object.keys(headers).map((name) => [name, []])),
      ...HEADERS,
    }).map(([name, values]) => [name, fc.constantFrom('x', ...values)]),
  );
  return fc.record({
    query: fc.oneof(
      { weight: 4, arbitrary: read.some(query) },
      { weight: 1, arbitrary: fc.dictionary(fc.constantFrom(...FIELDS), anyText, { maxKeys: 1 }) },
    ),
    headers: fc.oneof(
      { weight: 3, arbitrary: fc.constant({}) },
      { weight: 1, arbitrary: subrecord(known, 1) },
    ),
    members: fc.oneof(
      { weight: 5, arbitrary: members },
      { weight: 1, arbitrary: fc.dictionary(fc.constantFrom(...FIELDS), anything, { maxKeys: 2 }) },
    ),
    body: body ? rarely(instead) : fc.constant(undefined),
    segment: rarely(fc.record({ fromEnd: fc.nat(3), text: fc.constantFrom(...SEGMENTS) })),
    trespasses: fc.nat(5).map((n) => n === 5 && service === 'dsync-api'),
  });
}

/** Reads values out of the schemas of a document. */
class Reader {
  constructor(private readonly schemas: Record<string, Schema>) {}

  /** At most a few members, each as described or as not. */
  some(properties: Record<string, Schema>): fc.Arbitrary<Record<string, unknown>> {
    const values = Object.entries(properties).map(([name, schema]) => [
      name,
      this.valueOf(name, schema),
    ]);
    return subrecord(
      Object.fromEntries(values) as Record<string, fc.Arbitrary<unknown>>,
      CHANGED_MAX,
    );
  }

  propertiesOf(schema: Schema): Record<string, Schema> {
    const { properties, allOf = [], oneOf = [], anyOf = [] } = this.resolved(schema);
    const parts = [...allOf, ...oneOf, ...anyOf].map((part) => this.propertiesOf(part));
    return Object.assign({}, ...parts, properties) as Record<string, Schema>;
  }

  private valueOf(name: string, schema: Schema, depth = 0): fc.Arbitrary<unknown> {
    const special = BY_NAME[(name.split('.').at(-1) ?? '').toLowerCase()];
    const arbitraries = [
      { weight: 3, arbitrary: this.right(name, schema, depth) },
      { weight: 1, arbitrary: anything },
    ];
    if (special) arbitraries.push({ weight: 2, arbitrary: fc.constantFrom(...special) });
    return fc.oneof(...arbitraries);
  }

  private right(name: string, given: Schema, depth: number): fc.Arbitrary<unknown> {
    const schema = this.resolved(given);
    const options = schema.oneOf ?? schema.anyOf;
    if (depth > DEPTH_MAX) return anything;
    if (options) return fc.oneof(...options.map((each) => this.right(name, each, depth + 1)));
    if (schema.enum) return fc.constantFrom(...schema.enum);
    if (schema.const !== undefined) return fc.constant(schema.const);
    switch ([schema.type].flat()[0]) {
      case 'integer':
        return fc.oneof(fc.integer({ min: 0, max: 100 }), fc.maxSafeInteger());
      case 'number':
        return fc.double({ noNaN: true });
      case 'boolean':
        return fc.boolean();
      case 'array':
        return fc.array(this.valueOf(name, schema.items ?? {}, depth + 1), { maxLength: 3 });
      case 'object': {
        const properties = Object.entries(this.propertiesOf(schema));
        const values = properties.map(([key, each]) => [key, this.valueOf(key, each, depth + 1)]);
        return subrecord(Object.fromEntries(values) as Record<string, fc.Arbitrary<unknown>>, 4);
      }
      default:
        return textOf(schema.format);
    }
  }

  private resolved(schema: Schema): Schema {
    const name = /^#\/components\/schemas\/(.+)$/.exec(schema.$ref ?? '')?.[1];
    return name === undefined ? schema : this.resolved(this.schemas[name] ?? {});
  }
}

function textOf(format: string | undefined): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.uuid();
  if (format === 'email') return fc.emailAddress();
  if (format === 'uri') return fc.oneof(fc.webUrl(), fc.constantFrom(...URLS));
  if (format === 'date-time') {
    return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  }
  return fc.string({ minLength: 1, maxLength: 30 });
}

/** Some of the members, at most a number of them. */
function subrecord<T>(
  members: Record<string, fc.Arbitrary<T>>,
  max: number,
): fc.Arbitrary<Record<string, T>> {
  const names = Object.keys(members);
  return fc
    .subarray(names, { maxLength: Math.min(max, names.length) })
    .chain((chosen) =>
      fc.record(Object.fromEntries(chosen.map((name) => [name, members[name] as fc.Arbitrary<T>]))),
    );
}

function rarely<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
}

/** A list and an object with as many levels. */
function nested(depth: number): unknown[] {
  return [(value: unknown) => [value], (value: unknown) => ({ a: value })].map((wrap) => {
    let value: unknown = 1;
    for (let level = 0; level < depth; level += 1) value = wrap(value);
    return value;
  });
}

/** The draft with its changes; the other tenant's ids are those that a trespass names. */
export function changed(draft: Draft, changes: Changes, trespass: (text: string) => string): Draft {
  const { query, headers, members, body, segment, trespasses } = changes;
  const result: Draft = {
    ...draft,
    query: { ...draft.query, ...query },
    headers: { ...draft.headers, ...headers },
  };
  const isObject =
    typeof draft.body === 'object' && draft.body !== null && !Array.isArray(draft.body);
  if (isObject) result.body = withMembers(draft.body as object, members);
  if (trespasses) {
    result.path = trespass(result.path);
    if (result.body !== undefined) {
      result.body = JSON.parse(trespass(JSON.stringify(result.body))) as unknown;
    }
  }
  if (body) result.body = 'json' in body ? body.json : Buffer.from(body.bytes);
  if (segment) {
    const segments = result.path.split('/');
    segments[Math.max(1, segments.length - 1 - segment.fromEnd)] = segment.text;
    result.path = segments.join('/');
  }
  return result;
}

/** A spread would set the prototype by `__proto__`, and assignment by a setter. */
function withMembers(body: object, members: Record<string, unknown>): object {
  return Object.fromEntries([...Object.entries(body), ...Object.entries(members)]);
}
