import { createHash } from 'node:crypto';
import { asCurl, bodyOf, type Draft, encode, escapeText } from './draft.js';
import { MUTATIONS } from './mutations.js';
import { Random } from './random.js';

const DESCRIBED = { queryNames: ['filter', 'count'], bodyNames: ['name', 'url'] };
const draft = (): Draft => ({
  method: 'POST',
  path: '/v1/things/1',
  query: [['a', 'b c']],
  headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
  json: { name: 'x', list: [{ url: 'https://example.com' }] },
});

const hash = (text: string) => createHash('sha256').update(text).digest('hex');

function mutated(seed: number): string {
  const random = new Random(seed);
  const changed = draft();
  for (let count = 0; count < 3; count += 1) random.pick(MUTATIONS)(changed, random, DESCRIBED);
  const { body, ...rest } = encode(changed);
  return hash(JSON.stringify(rest) + (body?.toString('base64') ?? ''));
}

const seeds = Array.from({ length: 200 }, (_, seed) => seed);

it('the same seed makes the same request, and other seeds make others', () => {
  const first = seeds.map(mutated);
  expect(seeds.map(mutated)).toEqual(first);
  expect(new Set(first).size).toBeGreaterThan(180);
});

it('each mutation changes some request, and none changes the prototype of objects', () => {
  const { body, ...rest } = encode(draft());
  for (const mutate of new Set(MUTATIONS)) {
    const results = seeds.slice(0, 20).map((seed) => {
      const changed = draft();
      if (mutate.name === 'changeField') changed.fields = [['a', 'b']];
      mutate(changed, new Random(seed), DESCRIBED);
      return encode(changed);
    });
    const isChanged = results.some(
      ({ body: other, ...more }) =>
        JSON.stringify(more) !== JSON.stringify(rest) || !body?.equals(other ?? Buffer.of()),
    );
    expect([mutate.name, isChanged]).toEqual([mutate.name, true]);
  }
  expect(Object.keys(Object.prototype)).toEqual([]);
});

it('a request is encoded, also with texts that have no encoding', () => {
  expect(encode(draft()).target).toBe('/v1/things/1?a=b%20c');
  expect(escapeText('a\ud800b\u{1f469}')).toBe('a%ED%A0%80b%F0%9F%91%A9');
  const fields: [string, string][] = [['a b', '1']];
  expect(bodyOf({ ...draft(), fields })?.toString()).toBe('a%20b=1');
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  expect(bodyOf({ ...draft(), fields, headers })?.toString()).toContain('name="a b"\r\n\r\n1');
});

it('the command for curl has the same method, headers and bytes', () => {
  const text = asCurl('http://127.0.0.1:1', encode({ ...draft(), json: "it's" }));
  expect(text).toContain("-X POST 'http://127.0.0.1:1/v1/things/1?a=b%20c'");
  expect(text).toContain("-H 'authorization: Bearer secret'");
  expect(text).toContain(`--data-binary '"it'\\''s"'`);
  const binary = asCurl('http://127.0.0.1:1', encode({ ...draft(), bytes: Buffer.from([0, 255]) }));
  expect(binary).toMatch(/^echo AP8= \| base64 -d \| curl .* --data-binary @-/);
});
