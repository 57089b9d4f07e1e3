// The direct route of decoding answers exactly as the Fastify route does. Quotes around the charset
// disqualify a request from the direct route, so each form is sent with and without them.
import fc from 'fast-check';
import { ADMIN_KEY, type FormsClient, schemaOf } from './forms-client.js';
import { type FormsStack, openFormsStack } from './forms-stack.js';

const URLENCODED = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';
const TRAITS = {
  required: ['email', 'home'],
  properties: {
    email: { type: 'string', format: 'email' },
    age: { type: 'integer', minimum: 16 },
    score: { type: ['number', 'null'] },
    newsletter: { type: 'boolean' },
    plan: { enum: ['free', 'team', 7, null], default: 'free' },
    home: { type: 'object', properties: { city: { type: 'string', maxLength: 20 } } },
    tags: { type: 'array', items: { type: 'string' }, uniqueItems: true },
    phones: {
      type: 'array',
      items: { type: 'object', properties: { number: { type: 'string' } } },
    },
    pet: {
      oneOf: [
        { properties: { kind: { const: 'cat' }, lives: { type: 'integer' } } },
        { properties: { kind: { const: 'dog' }, tricks: { type: 'string' } } },
      ],
    },
    extra: { type: 'object', additionalProperties: { type: 'integer' } },
    role: { type: 'string', readOnly: true },
  },
};

let stack: FormsStack;
let forms: FormsClient;

beforeAll(async () => {
  stack = await openFormsStack();
  forms = (await stack.start()).client;
  await forms.schema('person', TRAITS);
});
afterAll(() => stack.close());

type Body = string | Uint8Array<ArrayBuffer>;
type Headers = Record<string, string>;

/** An answer without the parts that differ between any two answers. */
async function ask(type: string, body: Body, headers: Headers = {}, schema = 'person') {
  const answer = await forms.send('POST', `/v1/schemas/${schema}/decode`, {
    headers: { authorization: `Bearer ${ADMIN_KEY}`, ...headers, 'content-type': type },
    body,
  });
  const text = answer.text.replace(/"request_id":"[^"]*"/, '"request_id":""');
  // Ids of requests differ in length too.
  const differing = ['date', 'x-request-id', ...(text === answer.text ? [] : ['content-length'])];
  const kept = [...answer.headers].filter(([name]) => !differing.includes(name));
  return { status: answer.status, headers: Object.fromEntries(kept), text };
}

async function bothWays(type: string, body: Body, headers: Headers = {}, schema?: string) {
  const short = await ask(type, body, headers, schema);
  const full = await ask(`${type}; charset="utf-8"`, body, headers, schema);
  expect(short).toEqual(full);
  return short;
}

const ok = 'traits.email=a@b.c&';

describe('the direct and the Fastify route give the same answer to a urlencoded form with', () => {
  it.each<[string, string, number]>([
    ['plain', `${ok}traits.age=17&traits.newsletter=false&traits.newsletter=true`, 200],
    ['escapes and characters beyond ASCII', `${ok}traits.home.city=K%C3%B6ln+ö%F0%9F%98%80`, 200],
    ['broken escapes', `${ok}traits.tags=100%&traits.tags=%ZZ&traits.tags=%C3%B6%`, 200],
    ['lists, rows, unions', `${ok}traits.phones.3.number=1&traits.phones[1].number=2`, 200],
    ['a union', `${ok}traits.pet.kind=cat&traits.pet.lives=9&traits.pet.tricks=sit`, 200],
    ['JSON in a field', `${ok}traits.home={"city":"x","no":1}`, 200],
    ['free names', `${ok}traits.extra.x=1&traits.extra.y=2`, 200],
    ['names without a place', `${ok}password=x&traits.no=1&traits.role=admin`, 200],
    ['names that attack', `${ok}__proto__.x=1&traits.constructor.y=2`, 200],
    ['blanks', `${ok}traits.age=&traits.tags=&traits.score=`, 200],
    ['empty pairs', `&&=&${ok}=1&&`, 200],
    ['separators only', '&', 422],
    ['values that do not fit', 'traits.email=no&traits.age=3&traits.plan=none', 422],
    ['names that contradict', `${ok}traits.home=x&traits.home.city=y`, 422],
    ['what cannot be stored', `${ok}traits.home.city=%00`, 422],
    ['escapes that are no UTF-8', `${ok}traits.home.city=%FF`, 400],
    ['too deep', `${ok}traits.extra=${'['.repeat(40)}`, 400],
    ['a name too long', `${'n'.repeat(513)}=1`, 413],
    ['too many fields', 'a&'.repeat(1001), 413],
    ['a value longer than the short cut takes', `${ok}traits.tags=${'x'.repeat(20_000)}`, 200],
    ['a value that is too long', `traits.email=${'a'.repeat(65_537)}`, 413],
  ])('%s', async (_case, body, status) => {
    expect((await bothWays(URLENCODED, body)).status).toBe(status);
  });
});

describe('the direct and the Fastify route give the same answer to a JSON form with', () => {
  it.each<[string, string, number]>([
    ['nested', '{"traits":{"email":"a@b.c","age":17,"pet":{"kind":"dog","tricks":"sit"}}}', 200],
    ['dotted', '{"traits.email":"a@b.c","traits.age":"17","traits.tags":["ä","😀"]}', 200],
    ['duplicates', '{"traits.email":"x","traits.email":"a@b.c"}', 200],
    ['reserved names', '{"__proto__":{"x":1},"traits":{"email":"a@b.c","constructor":1}}', 200],
    ['names without a place', '{"traits":{"email":"a@b.c","no":1},"csrf_token":"x"}', 200],
    ['a byte order mark', '\uFEFF{"traits.email":"a@b.c"}', 200],
    ['values that do not fit', '{"traits":{"email":1,"age":"x"}}', 422],
    ['no object', '[1]', 422],
    ['half a surrogate pair', '{"traits.email":"\\ud800@b.c"}', 422],
    ['numbers that lose digits', '{"traits":{"email":"a@b.c","age":9007199254740993}}', 422],
    ['broken', '{"traits.email":', 400],
    ['too deep', `${'{"a":'.repeat(17)}1${'}'.repeat(17)}`, 400],
    ['too many values', JSON.stringify({ a: new Array(1001).fill(1) }), 413],
  ])('%s', async (_case, body, status) => {
    expect((await bothWays(JSON_TYPE, body)).status).toBe(status);
  });
});

it('the direct and the Fastify route give the same answer to random forms', async () => {
  const names = ['email', 'age', 'score', 'newsletter', 'plan', 'home', 'home.city', 'tags'];
  names.push('tags[]', 'tags.0', 'phones', 'phones.0.number', 'pet.kind', 'pet.lives', 'extra.x');
  const name = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...names.map((each) => `traits.${each}`)) },
    fc.string({ unit: 'grapheme', maxLength: 8 }),
  );
  const value = fc.oneof(
    fc.constantFrom('', 'a@b.c', '17', '1e3', 'true', 'off', 'free', 'cat', '{}', '{"city":1}'),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
  );
  const pairs = fc.array(fc.tuple(name, value), { minLength: 1, maxLength: 12 });
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 60 });
  const inputs: [string, Body][] = [
    ...fc.sample(pairs, 150).map((list): [string, Body] => {
      const body = new URLSearchParams([['traits.email', 'a@b.c'], ...list]);
      return [URLENCODED, body.toString()];
    }),
    ...fc
      .sample(pairs, 100)
      .map((list): [string, Body] => [JSON_TYPE, JSON.stringify(Object.fromEntries(list))]),
    ...fc.sample(fc.jsonValue(), 50).map((json): [string, Body] => {
      return [JSON_TYPE, JSON.stringify({ traits: json })];
    }),
    ...fc.sample(bytes, 50).flatMap((body): [string, Body][] => {
      const copy = Uint8Array.from(body);
      return [
        [URLENCODED, copy],
        [JSON_TYPE, copy],
      ];
    }),
  ];
  const seen = new Set<number>();
  for (const [type, body] of inputs) seen.add((await bothWays(type, body)).status);
  expect(seen).toContain(200);
  expect(seen).toContain(422);
});

describe('both routes', () => {
  it('require the same credentials', async () => {
    for (const authorization of ['', `Basic ${ADMIN_KEY}`, `bearer ${ADMIN_KEY}`]) {
      const { status } = await bothWays(URLENCODED, ok, { authorization });
      expect(status).toBe(authorization.startsWith('bearer') ? 200 : 401);
    }
  });

  it('refuse a compressed body', async () => {
    for (const [coding, status] of Object.entries({ gzip: 415, identity: 200, '': 200 })) {
      const answer = await bothWays(URLENCODED, ok, { 'content-encoding': coding });
      expect(answer.status).toBe(status);
    }
  });

  it('answer in the requested language', async () => {
    const headers = { 'accept-language': 'de' };
    expect((await bothWays(URLENCODED, 'traits.age=x', headers)).text).toMatch(/muss|Gib|fehlt/);
  });

  it('answer 404 for an unknown schema and decode an escaped id', async () => {
    expect((await bothWays(URLENCODED, ok, {}, 'unknown')).status).toBe(404);
    expect((await bothWays(URLENCODED, ok, {}, 'pers%6Fn')).status).toBe(200);
  });

  it('use a new schema version immediately', async () => {
    await forms.schema('changing', { properties: { n: { type: 'string' } } });
    const read = async () => (await bothWays(URLENCODED, 'traits.n=1', {}, 'changing')).text;
    expect(await read()).toBe('{"traits":{"n":"1"},"ignored":[]}');
    const schema = schemaOf({ properties: { n: { type: 'integer' } } });
    await forms.admin('PUT', '/v1/schemas/changing', { schema });
    expect(await read()).toBe('{"traits":{"n":1},"ignored":[]}');
  });

  it('keep the request id of the caller', async () => {
    for (const type of [URLENCODED, `${URLENCODED}; charset="utf-8"`]) {
      const answer = await forms.send('POST', '/v1/schemas/person/decode', {
        headers: {
          authorization: `Bearer ${ADMIN_KEY}`,
          'content-type': type,
          'x-request-id': 'mine',
        },
        body: ok,
      });
      expect(answer.headers.get('x-request-id')).toBe('mine');
    }
  });
});
