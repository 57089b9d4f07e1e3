/** Changes of a valid request, each of one part. They depend on their seed only. */
import { gzipSync } from 'node:zlib';
import { bodyOf, BOUNDARY, type Draft } from './draft.js';
import { type Random } from './random.js';
import { FIELD_NAMES, textFor, valueFor } from './values.js';

/** What the description says about an operation, besides its example. */
export interface Described {
  queryNames: readonly string[];
  bodyNames: readonly string[];
}

/** A small body that becomes a large one. */
const LARGE_BODY = gzipSync(Buffer.alloc(5_000_000, 0x20));

type Mutation = (draft: Draft, random: Random, described: Described) => void;

const TYPES = [
  'application/json',
  'application/json; charset=utf-16',
  'application/json; charset=x',
  'application/json;;;',
  'application/scim+json',
  'text/plain',
  'text/html',
  'application/xml',
  'application/x-www-form-urlencoded',
  'application/x-www-form-urlencoded; charset=latin1',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  `multipart/form-data; boundary=${'x'.repeat(300)}`,
  `multipart/form-data; boundary=${BOUNDARY}`,
  'multipart/mixed; boundary=x',
  '*/*',
  '/',
  'x'.repeat(1_000),
];
const HEADERS: readonly [string, readonly string[]][] = [
  ['accept', ['text/html', 'application/json;q=0', 'x', '*/*;q=2', '/;,;', 'x'.repeat(4_000)]],
  ['accept-language', ['de', 'x-klingon', '*', 'en;q=x', '-', `${'a,'.repeat(2_000)}a`]],
  ['accept-encoding', ['gzip', 'br', '*', 'identity;q=0']],
  ['content-encoding', ['gzip', 'deflate', 'br', 'x', 'gzip, gzip']],
  ['if-match', ['*', 'W/"1"', '"', 'x', 'W/"99999999999999999999"', `${'"a",'.repeat(1_000)}"a"`]],
  ['if-none-match', ['*', 'W/"1"', '"', 'W/"-1"', '""']],
  ['prefer', ['return=minimal', 'return=x', 'respond-async', ';;;']],
  ['cache-control', ['no-cache', 'no-store', 'max-age=-1', '=']],
  ['cookie', ['a=b', '=', 'a', '__Host-x=y; '.repeat(200), '\u00ff=\u00ff']],
  ['origin', ['null', 'https://evil.example', '\u00ff']],
  ['sec-fetch-site', ['cross-site', 'x']],
  ['host', ['evil.example', '127.0.0.1:99999', 'a b', '\u00ff']],
  ['x-forwarded-for', ['1.2.3.4', 'x', '::1, ::1', '1.2.3.4, '.repeat(300)]],
  ['x-forwarded-proto', ['https', 'x']],
  ['forwarded', ['for=1.2.3.4', 'for="[::1"']],
  ['x-request-id', ['x', 'a'.repeat(2_000), '\u00ff', '{}']],
  ['traceparent', ['00-0-0-0', 'x', `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`]],
  ['x-http-method-override', ['DELETE']],
  ['expect', ['100-continue']],
  ['x-api-key', ['', 'x', 'a.b.c', '\u00ff', 'x'.repeat(6_000)]],
  ['x-admin-authorization', ['Bearer', 'Bearer x', 'x']],
];
const AUTHORIZATIONS = [
  '',
  'Bearer',
  'Bearer ',
  'Bearer x',
  'Basic eDp4',
  'Basic \u00ff',
  'Api-Key',
];
const SEGMENTS = [
  '%00',
  '%',
  '%ZZ',
  '%c0%ae',
  '%ed%a0%80',
  '%ff',
  '..',
  '%2e%2e',
  '%2f',
  '%5c',
  '',
  'null',
  '-1',
  '__proto__',
  'constructor',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '%F0%9F%92%A9',
  '\u00c0\u00af',
  ';a=b',
  'x'.repeat(3_000),
  ':revoke',
  '.search',
];
const QUERIES = [
  '&&&',
  '=',
  '=x',
  'a',
  '%',
  '%ZZ=%ZZ',
  '%00=%00',
  '\u00ff=\u00c0\u00af',
  '__proto__[x]=1',
  'constructor.prototype.x=1',
  'a[]=1&a[]=2',
  'a[b][c]=1',
  Array(1_500).fill('a=b').join('&'),
  '?',
  '#',
];
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'QUERY'];

/** Those of bodies come more than once, because most faults are there. */
export const MUTATIONS: readonly Mutation[] = [
  changeNode,
  changeNode,
  changeNode,
  addMember,
  addMember,
  removeNode,
  changeField,
  changeField,
  changeText,
  duplicateKey,
  describedParameter,
  describedParameter,
  repeatParameter,
  strangeQuery,
  changeSegment,
  changeType,
  changeHeader,
  changeHeader,
  changeAuthorization,
  changeMethod,
  replaceBody,
  compress,
];

function changeNode(draft: Draft, random: Random): void {
  const found = nodesOf(draft.json);
  if (found.length === 0) return;
  const { parent, key } = random.pick(found);
  parent[key] = valueFor(key, random);
}

function removeNode(draft: Draft, random: Random): void {
  const found = nodesOf(draft.json);
  if (found.length === 0) return;
  const { parent, key } = random.pick(found);
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else delete parent[key];
}

function addMember(draft: Draft, random: Random, { bodyNames }: Described): void {
  const parents = [draft.json, ...nodesOf(draft.json).map(({ parent, key }) => parent[key])];
  const objects = parents.filter(isObject);
  if (objects.length === 0) return;
  const hostile = [
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'then',
    '',
    '$ref',
    'a.b',
  ];
  const name =
    bodyNames.length > 0 && !random.once(3) ? random.pick(bodyNames) : random.pick(hostile);
  const value = valueFor(name, random);
  // Assigning `__proto__` would set the prototype.
  Object.defineProperty(random.pick(objects), name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

function changeField(draft: Draft, random: Random): void {
  const { fields } = draft;
  if (!fields) return;
  const name = random.once(2) ? random.pick(FIELD_NAMES) : (fields[0]?.[0] ?? 'a');
  const value = textFor(name, random);
  const count = random.once(10) ? 1_500 : 1;
  const added = Array.from({ length: count }, (): [string, string] => [name, value]);
  if (random.once(2)) fields.push(...added);
  else fields.splice(random.below(fields.length + 1), 1, ...added);
}

/** Damages the text of the body. */
function changeText(draft: Draft, random: Random): void {
  const body = bodyOf(draft);
  if (!body || body.length === 0) return;
  const at = random.below(body.length);
  const [head, tail] = [body.subarray(0, at), body.subarray(at)];
  const inserted = random.pick([
    '\u0000',
    '\\u0000',
    '\\ud800',
    'NaN',
    '1e999',
    ',',
    '{',
    '[[[[',
    '"',
    '\ufeff',
    '-',
    '/**/',
    Buffer.from([0xc0, 0xaf]),
    Buffer.from([0xed, 0xa0, 0x80]),
    Buffer.from([0xff, 0xfe]),
    ...['[', '{"a":'].map((text) => text.repeat(20_000)),
    ' '.repeat(60_000),
  ]);
  const middle = typeof inserted === 'string' ? Buffer.from(inserted) : inserted;
  draft.bytes = random.once(3) ? head : Buffer.concat([head, middle, tail]);
}

function duplicateKey(draft: Draft, random: Random): void {
  const body = bodyOf(draft)?.toString() ?? '';
  if (!body.startsWith('{') || !isObject(draft.json)) return;
  const name = random.pick([...Object.keys(draft.json), '__proto__', '\\u005f_proto__']);
  const value = JSON.stringify(valueFor(name, random)) ?? 'null';
  draft.bytes = Buffer.from(`{"${name}":${value},${body.slice(1)}`);
}

function describedParameter(draft: Draft, random: Random, { queryNames }: Described): void {
  if (queryNames.length === 0) return;
  const name = random.pick(queryNames);
  draft.query = draft.query.filter(([known]) => known !== name);
  draft.query.push([name, textFor(name, random)]);
}

function repeatParameter(draft: Draft, random: Random, { queryNames }: Described): void {
  const name = queryNames.length > 0 ? random.pick(queryNames) : 'a';
  for (let times = 0; times < 3; times += 1) draft.query.push([name, textFor(name, random)]);
}

function strangeQuery(draft: Draft, random: Random): void {
  draft.rawQuery = random.pick(QUERIES);
}

function changeSegment(draft: Draft, random: Random): void {
  const segments = draft.path.split('/');
  segments[1 + random.below(segments.length - 1)] = random.pick(SEGMENTS);
  draft.path = segments.join('/');
}

function changeType(draft: Draft, random: Random): void {
  draft.bytes ??= bodyOf(draft);
  if (random.once(5)) delete draft.headers['content-type'];
  else draft.headers['content-type'] = random.pick(TYPES);
}

function changeHeader(draft: Draft, random: Random): void {
  const [name, values] = random.pick(HEADERS);
  draft.headers[name] = random.pick(values);
}

function changeAuthorization(draft: Draft, random: Random): void {
  const known = draft.headers['authorization'];
  if (known === undefined) return;
  const altered = [known.slice(0, -1), `${known}x`, known.toUpperCase(), known.replace(' ', '  ')];
  draft.headers['authorization'] = random.pick([...AUTHORIZATIONS, ...altered]);
}

function changeMethod(draft: Draft, random: Random): void {
  draft.method = random.pick(METHODS);
}

function replaceBody(draft: Draft, random: Random): void {
  const value = valueFor('', random);
  draft.bytes = Buffer.from(JSON.stringify(value) ?? '');
}

function compress(draft: Draft, random: Random): void {
  const body = bodyOf(draft);
  if (!body) return;
  draft.bytes = random.once(2) ? gzipSync(body) : LARGE_BODY;
  draft.headers['content-encoding'] = 'gzip';
}

interface Node {
  parent: Record<string, unknown>;
  key: string;
}

/** Every member and item of a JSON value, at any depth that is not absurd. */
function nodesOf(value: unknown, depth = 0): Node[] {
  if (typeof value !== 'object' || value === null || depth > 8) return [];
  const parent = value as Record<string, unknown>;
  return Object.keys(parent).flatMap((key) => [
    { parent, key },
    ...nodesOf(parent[key], depth + 1),
  ]);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
