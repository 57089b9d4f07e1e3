/** Values that services read wrongly when they are careless, in general and by the name of a field. */
import * as fc from 'fast-check';
import { type Random } from './random.js';

const LONG = 'x'.repeat(70_000);

const TEXTS = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'a\udfff',
  '\u202egnp.exe',
  '\u2066x\u2069',
  '\ufeffx',
  'e\u0301\u0301\u0301',
  '\u{1f469}\u200d\u{1f469}\u200d\u{1f467}',
  'ﬀİıſ',
  'x'.repeat(256),
  'x'.repeat(5_000),
  LONG,
  '%00',
  '%c0%af',
  '../../etc/passwd',
  "'; DROP TABLE users; --",
  '${7*7}{{7*7}}<%= 7*7 %>',
  '<script>alert(1)</script>',
  'a\r\nSet-Cookie: a=b',
  'null',
  'undefined',
  'NaN',
  '[object Object]',
  '__proto__',
  'constructor',
  'toString',
  'true',
  '-1',
  '0',
  '1e999',
  '00000000-0000-0000-0000-000000000000',
  '2026-02-30T25:61:61Z',
  '9999-12-31T23:59:59.999999999+99:99',
  '+275760-09-13T00:00:00.001Z',
  'P1Y',
  '1h',
  '99999999999999999999h',
  '-5m',
];
const OTHERS: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1.5,
  1e308,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  5e-324,
  [],
  {},
  [null],
  [[]],
  [''],
  { a: 1 },
  { toString: 1 },
  { length: -1 },
  { toJSON: 'x' },
  { $ref: '#' },
];

const FILTERS = [
  'userName eq',
  'userName eq "a" and',
  '((((((((((userName pr))))))))))',
  'not (not (not (userName pr)))',
  'emails[type eq "work" and value co "@"]',
  'emails[emails[value pr]]',
  'userName eq "\\ud800"',
  'userName eq "\\u0000"',
  'userName co "%_\\\\"',
  'userName gt 5',
  'meta.created gt "x"',
  'meta.created gt "9999-99-99T00:00:00Z"',
  'active eq null',
  'active gt true',
  'id eq "x"',
  'members.value eq "x"',
  'members[value eq "x"].display pr',
  'urn:ietf:params:scim:schemas:core:2.0:User:userName eq "a"',
  'urn:x:y:z eq 1',
  '__proto__ pr',
  'constructor.prototype eq 1',
  Array(200).fill('userName pr').join(' or '),
  `${'('.repeat(3_000)}userName pr${')'.repeat(3_000)}`,
  'actor_id="a" AND status=KEY_STATUS_ACTIVE',
  'actor_id="',
  'status=x',
  'userName eq 1e999',
  'userName eq -',
  'title ew "\u0130"',
];
const PATHS = [
  'emails[type eq "work"].value',
  'emails[type eq "work"]',
  'emails[',
  'members[value eq "x"]',
  'members',
  'name',
  'name.givenName.x',
  'name.',
  'id',
  'meta',
  'schemas',
  'groups',
  'password',
  'active',
  '__proto__',
  '__proto__.x',
  'constructor.prototype',
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager.value',
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:',
  'emails.value',
  'addresses[type eq "work" and primary eq true].streetAddress',
  'x'.repeat(3_000),
];
const URLS = [
  'http://127.0.0.1:1/',
  'http://[::1]:1/',
  'http://[::ffff:127.0.0.1]/',
  'http://0x7f000001/',
  'http://169.254.169.254/latest/meta-data',
  'https://user:password@example.com/',
  'https://example.com:99999/',
  'https://example.com:0/',
  'https://',
  'http://',
  '//example.com',
  'ftp://example.com',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'https://exa mple.com',
  'https://xn--/',
  'https://example.com/\u0000',
  'https://example.com/#a',
  'https://example.com/%ZZ',
  `https://example.com/${'x'.repeat(5_000)}`,
  'https://\u202eexample.com',
  'https://１２７.０.０.１/',
];
const CREDENTIALS = [
  'gate_sk_',
  'gate_sk_x',
  'gate_pk_x',
  'a.b.c',
  '..',
  'eyJhbGciOiJub25lIn0.e30.',
  'eyJhbGciOiJIUzI1NiJ9.e30.AAAA',
  'eyJhbGciOiJFZERTQSIsImtpZCI6Ii4uLy4uIn0.e30.AAAA',
  'eyJhbGciOiJFZERTQSIsImNyaXQiOlsieCJdfQ.e30.AAAA',
  `eyJhbGciOiJFZERTQSJ9.${'W1tb'.repeat(2_000)}.AAAA`,
  'AgEQeA',
  'AgEAAA',
  'AgH_____',
  `AgE${'A'.repeat(6_000)}`,
  'MDAxY2xvY2F0aW9uIGh0dHA6Ly9teWJhbmsv',
];
const NUMBERS = ['-1', '0', '1', '1.5', '1e3', '0x10', ' 5', '5 ', '99999999999999999999', 'NaN'];
const TOKENS = [
  'x',
  'AAAA',
  'e30',
  'bnVsbA',
  'W10',
  'eyJhIjoxfQ',
  '=',
  '-1',
  '\u0000',
  'x'.repeat(4_000),
];

const TIMES = [
  '2027-01-31T12:00:00Z',
  '9999-12-31T23:59:59Z',
  '0000-01-01T00:00:00Z',
  '2027-02-30T00:00:00Z',
  'now',
  '',
];

/** By the last part of a name, in lower case. */
const BY_NAME: Readonly<Record<string, readonly unknown[]>> = {
  filter: FILTERS,
  path: PATHS,
  attributes: PATHS,
  excludedattributes: PATHS,
  sortby: PATHS,
  url: URLS,
  webhook_url: URLS,
  return_to: URLS,
  credential: CREDENTIALS,
  raw_key: [...CREDENTIALS, 'short'],
  token: CREDENTIALS,
  csrf_token: TOKENS,
  page_token: TOKENS,
  cursor: TOKENS,
  state: TOKENS,
  code: TOKENS,
  after: TOKENS,
  count: NUMBERS,
  startindex: NUMBERS,
  page_size: NUMBERS,
  from: TIMES,
  to: TIMES,
  group_by: ['key', 'tag,outcome', 'key,prefix', 'key,key', ',', 'x'],
  pagelimit: NUMBERS,
  pageoffset: NUMBERS,
  limit: NUMBERS,
  version: NUMBERS,
  op: ['add', 'remove', 'replace', 'ADD', 'move', ''],
  method: ['POST', 'PUT', 'PATCH', 'DELETE', 'GET', 'post', 'TRACE'],
  schema: [
    true,
    false,
    { $ref: '#' },
    { type: 'object', properties: { traits: { $ref: '#' } } },
    { type: 'object', properties: { traits: { pattern: '(a+)+$' } } },
    { type: 'object', properties: { traits: { type: 'object', properties: { __proto__x: {} } } } },
    { allOf: [{ $ref: '#/definitions/a' }], definitions: { a: { $ref: '#/definitions/a' } } },
    { $ref: 'https://example.com/schema.json' },
    { type: 'object', properties: { traits: { type: 'array', items: { maxItems: -1 } } } },
  ],
};

/** Names of the fields of forms that fold into trees. */
export const FIELD_NAMES = [
  'traits.',
  '.traits',
  'traits..email',
  'traits.email.',
  'traits.email.first',
  'traits.__proto__.x',
  '__proto__.polluted',
  'constructor.prototype.polluted',
  'traits.constructor',
  'traits[email]',
  'traits[0]',
  'traits[][]',
  'traits.tags.0',
  'traits.tags.-1',
  'traits.tags.99999999999',
  'traits.tags.1e3',
  'traits.tags.00',
  Array(200).fill('a').join('.'),
  'x'.repeat(2_000),
  '',
  '.',
  '\u0000',
  'traits.\u202e',
  'name"; filename="x',
  'csrf_token',
];

export function textFor(name: string, random: Random): string {
  const value = valueFor(name, random);
  return typeof value === 'string' ? value : String(JSON.stringify(value));
}

export function valueFor(name: string, random: Random): unknown {
  const own = BY_NAME[(name.split('.').at(-1) ?? '').toLowerCase()];
  // A copy, because the next mutation may change it.
  if (own && !random.once(3)) return structuredClone(random.pick(own));
  switch (random.below(10)) {
    case 0:
      return random.sample(fc.jsonValue({ maxDepth: 3 }));
    case 1:
      return random.sample(fc.string({ unit: 'binary', maxLength: 40 }));
    case 2:
      return nested(10 ** (1 + random.below(3)), random.once(2));
    case 3:
    case 4:
      return structuredClone(random.pick(OTHERS));
    default:
      return random.pick(TEXTS);
  }
}

/** Arrays or objects inside one another. */
function nested(depth: number, isList: boolean): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = isList ? [value] : { a: value };
  return value;
}
