import { type JsonValue } from '../json/json.js';
import { normalizeResource } from '../resource/resource-normalizer.js';
import { userResourceType } from '../schema/resource-type.js';
import { applyPatch } from './patch-engine.js';
import { parsePatchRequest } from './patch-request.js';

const emails = Array.from({ length: 1000 }, (_, n) => ({ value: `${n}@example.com`, type: 't' }));
const large = normalizeResource({ userName: 'large', emails }, userResourceType);

function patched(operations: JsonValue[]) {
  return applyPatch(large, parsePatchRequest({ Operations: operations }), userResourceType);
}

const thousand = (make: (n: number) => JsonValue) =>
  Array.from({ length: 1000 }, (_, n) => make(n));

const names = (count: number, name: (n: number) => string) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [name(n), 1]));

const longFilter = Array.from({ length: 60 }, (_, n) => `value eq "unknown-${n}"`).join(' or ');

describe('the cost limit of PATCH', () => {
  it.each<[string, number, JsonValue[]]>([
    [
      'long filters',
      413,
      thousand(() => ({ op: 'remove', path: `emails[${longFilter}].display` })),
    ],
    [
      'one element at a time',
      413,
      thousand((n) => ({ op: 'add', path: 'emails', value: [{ value: `${n}@example.com` }] })),
    ],
    [
      'removals by what is no value',
      413,
      thousand(() => ({
        op: 'remove',
        path: 'emails',
        value: Array.from({ length: 50 }, (_, n) => ({ display: `d${n}` })),
      })),
    ],
    ['many names', 400, [{ op: 'add', value: names(100_000, (n) => `k${n}`) }]],
    ['many dotted names', 400, [{ op: 'add', value: names(100_000, (n) => `k.k${n}`) }]],
    [
      'many names in an extension',
      400,
      [{ op: 'add', path: 'urn:example:X:2.0:User', value: names(100_000, (n) => `k${n}`) }],
    ],
  ])('%s: %i', (_, status, operations) => {
    expect(() => patched(operations)).toThrow(expect.objectContaining({ status }));
  });

  it('adds no more names than a new resource may have', () => {
    const many = names(950, (n) => `k${n}`);
    const user = normalizeResource({ userName: 'ann', ...many }, userResourceType);
    const add = (count: number) => {
      const request = parsePatchRequest({
        Operations: [{ op: 'add', value: names(count, (n) => `more${n}`) }],
      });
      return () => applyPatch(user, request, userResourceType);
    };
    expect(add(60)).toThrow(expect.objectContaining({ scimType: 'invalidValue' }));
    expect(add(10)().changed).toBe(true);
  });

  it('accepts a thousand operations on an ordinary resource', () => {
    const user = normalizeResource(
      { userName: 'ann', emails: emails.slice(0, 10) },
      userResourceType,
    );
    const operations = thousand((n) => ({
      op: 'replace',
      path: `emails[value eq "${n % 10}@example.com"].display`,
      value: `${n}`,
    }));
    const request = parsePatchRequest({ Operations: operations });
    expect(applyPatch(user, request, userResourceType).changed).toBe(true);
  });
});
