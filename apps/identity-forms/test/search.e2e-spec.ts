/** GET /v1/search finds what administrators look for by an id or a text. */
import { randomUUID } from 'node:crypto';
import { type Json } from '@gatehouse/testing';
import { type FormsClient, schemaOf } from './forms-client.js';
import { type FormsStack, openFormsStack } from './forms-stack.js';
import { USER } from './traits.js';

const SECRET_NAME = {
  properties: {
    code: { type: 'string', 'x-identifier': true, writeOnly: true },
    email: { type: 'string', format: 'email', 'x-identifier': true },
  },
};

let stack: FormsStack;
let forms: FormsClient;

beforeAll(async () => {
  stack = await openFormsStack();
  forms = (await stack.start()).client;
  await forms.schema('user', USER);
});
afterAll(() => stack.close());

const ask = (query: string, more = '') =>
  forms.admin('GET', `/v1/search?query=${encodeURIComponent(query)}${more}`);
const search = async (query: string, more = '') => {
  const { status, body } = await ask(query, more);
  expect([query, status]).toEqual([query, 200]);
  return body;
};
const hitsOf = async (query: string, more = '') => (await search(query, more)).hits as Json[];
const titlesOf = async (query: string, more = '') =>
  (await hitsOf(query, more)).map(({ title }) => title as string);
const register = async (id: string, title: unknown, members: object = {}) => {
  const schema = { ...schemaOf(USER), ...members, title };
  const { status, text } = await forms.admin('POST', '/v1/schemas', { id, schema });
  expect([status, text]).toEqual([201, expect.anything()]);
};
const create = async (schema_id: string, traits: object) =>
  (await forms.admin('POST', '/v1/identities', { schema_id, traits })).body.id as string;

describe('identities', () => {
  it('are found by id and by a whole identifier in any spelling, and by no part of one', async () => {
    const traits = { email: 'Ada@Example.com', username: 'Adá 🦊' };
    const id = await create('user', traits);
    const hit = { kind: 'identity', id, detail: 'user', parent_id: '' };
    for (const query of [
      id,
      id.toUpperCase(),
      ` ${id} `,
      'ada@EXAMPLE.com',
      '"ada"@example.com.',
    ]) {
      expect(await search(query)).toEqual({
        hits: [{ ...hit, title: traits.email }],
        is_more: false,
      });
    }
    expect(await hitsOf('adá 🦊')).toEqual([{ ...hit, title: traits.username }]);
    expect(await hitsOf('ada@example')).toEqual([]);
  });

  it('are found in each schema, the newest first, and by an identifier that is a UUID', async () => {
    const username = randomUUID();
    const ids: string[] = [];
    for (const schema of ['one', 'two', 'three']) {
      await forms.schema(schema, USER);
      ids.unshift(await create(schema, { email: `${schema}@example.com`, username }));
    }
    expect((await hitsOf(username)).map(({ id }) => id)).toEqual(ids);
    expect(await search(username, '&page_size=2')).toMatchObject({ is_more: true });
  });

  it('show no secret, and are gone from the answer once they are deleted', async () => {
    await forms.schema('coded', SECRET_NAME);
    const secret = 'very-secret-code';
    const named = await create('coded', { code: secret, email: 'coded@example.com' });
    const bare = await create('coded', { code: `${secret}-2` });
    expect(await titlesOf(secret)).toEqual(['coded@example.com']);
    expect(await titlesOf(`${secret}-2`)).toEqual([bare]);
    await forms.admin('DELETE', `/v1/identities/${named}`);
    expect([await hitsOf(named), await hitsOf('coded@example.com')]).toEqual([[], []]);
  });

  it('have titles of 255 characters at most', async () => {
    await forms.schema('named', { properties: { username: USER.properties.username } });
    const id = await create('named', { username: '🦊'.repeat(300) });
    expect(await titlesOf(id)).toEqual(['🦊'.repeat(255)]);
  });
});

describe('schemas', () => {
  it('are found by the beginning of their id or current title, in any case', async () => {
    await register('crm.Partner', 'Großhändler ÄÖÜ');
    const hit = { kind: 'schema', id: 'crm.Partner', title: 'Großhändler ÄÖÜ', parent_id: '' };
    for (const query of ['CRM.', 'crm.partner', 'g', 'GRO', 'GROßHÄNDLER äö']) {
      expect(await hitsOf(query)).toEqual([{ ...hit, detail: 'version 1' }]);
    }
    expect(await hitsOf('Partner')).toEqual([]);
    const schema = { ...schemaOf(USER), title: 'Renamed' };
    await forms.admin('PUT', '/v1/schemas/crm.Partner', { schema, public: true });
    expect(await hitsOf('großhändler')).toEqual([]);
    expect(await hitsOf('renamed')).toEqual([
      { ...hit, title: 'Renamed', detail: 'version 2 · public' },
    ]);
  });

  it('are found once when the id and the title begin alike, and without a title by the id', async () => {
    await register('zebra', 'Zebra');
    await forms.schema('zebra-2', USER);
    const hits = await hitsOf('zebra');
    expect(hits.map(({ id, title }) => [id, title])).toEqual([
      ['zebra', 'Zebra'],
      ['zebra-2', 'zebra-2'],
    ]);
  });

  it('may have any title: wildcards, other scripts, long ones, and U+0000', async () => {
    const titles = [
      '%_percent',
      'back\\slash',
      'שלום עולם',
      '\u202ertl',
      '😀 emoji',
      "o'quote",
      `l${'ß'.repeat(2_000)}`,
    ];
    for (const [index, title] of titles.entries()) await register(`any-${index}`, title);
    for (const title of titles) {
      const prefix = [...title].slice(0, 200).join('');
      expect([title, await titlesOf(prefix)]).toEqual([title, [[...title].slice(0, 255).join('')]]);
    }
    for (const query of ['%', '_', '\\', '%percent', "'", '%25']) {
      expect([query, await titlesOf(query)]).toEqual([
        query,
        titles.filter((title) => title.startsWith(query)),
      ]);
    }
    await register('nul-title', 'nul\u0000title');
    await register('nul-default', 'Nul default', { default: { x: '\u0000', y: '\ud800' } });
    expect(await titlesOf('nul-')).toEqual(['nul-default', 'nul-title']);
  });

  it('are at most page_size, 5 by default and 20 at most, and more are announced', async () => {
    for (let n = 10; n < 32; n += 1) await register(`many-${n}`, 'Many of them');
    for (const [more, count] of [
      ['', 5],
      ['&page_size=0', 5],
      ['&page_size=7', 7],
      ['&page_size=500', 20],
    ] as const) {
      for (const query of ['many-', 'MANY of']) {
        const { hits, is_more } = await search(query, more);
        expect([query, hits.length, is_more]).toEqual([query, count, true]);
      }
    }
    expect(await search('many-30')).toMatchObject({ hits: [{ id: 'many-30' }], is_more: false });
  });
});

describe('flows, events and webhook endpoints', () => {
  it('a flow is found by its id, with its state', async () => {
    const { body } = await forms.admin('POST', '/v1/flows', { kind: 'sign-up', schema_id: 'user' });
    const hit = {
      kind: 'flow',
      id: body.id,
      title: 'sign-up',
      detail: 'open · user',
      parent_id: '',
    };
    expect(await hitsOf(body.id as string)).toEqual([hit]);
  });

  it('an event is found by its id', async () => {
    await create('user', { email: 'evented@example.com' });
    const [event] = (await forms.admin('GET', '/v1/events?page_size=1')).body.events as Json[];
    const hit = { kind: 'event', title: 'identity.created', detail: event?.created_at };
    expect(await hitsOf(event?.id as string)).toMatchObject([hit]);
  });

  it('a webhook endpoint is found by its id or the beginning of its URL or host', async () => {
    const url = 'https://Hooks.example.com/Path?q=%25_';
    const { body } = await forms.admin('POST', '/v1/webhook-endpoints', { url });
    const hit = { kind: 'webhook_endpoint', id: body.id, title: body.url, detail: 'healthy' };
    for (const query of [body.id as string, 'HTTPS://hooks', 'hooks.EXAMPLE.com/path', url]) {
      expect(await hitsOf(query)).toMatchObject([hit]);
    }
    expect(await hitsOf('example.com')).toEqual([]);
  });

  it('the endpoint of the key service is not shown, and unknown ids find nothing', async () => {
    await forms.admin('PUT', '/v1/key-link', { on_delete: 'off' });
    for (const id of ['00000000-0000-4000-8000-000000000004', randomUUID()]) {
      expect(await search(id)).toEqual({ hits: [], is_more: false });
    }
  });
});

it.each([
  ['', 'query'],
  ['query=', 'query'],
  ['query=%20%09%20', 'query'],
  [`query=${'x'.repeat(256)}`, 'query'],
  ['query=a%00b', 'query'],
  ['query=a%0Ab', 'query'],
  ['query=a&query=b', 'query'],
  ['query=a&page_size=x', 'page_size'],
  ['query=a&page_token=x', 'page_token'],
  ['qurey=a', 'qurey'],
])('400 for ?%s, naming %s', async (query, name) => {
  const { status, body } = await forms.admin('GET', `/v1/search?${query}`);
  expect([status, body.errors.map((each: Json) => each.name)]).toEqual([400, [name]]);
});

it.each(['x'.repeat(255), '🦊'.repeat(255), '\u202eabc', 'a\u200db', '\ufffd', '\uffff'])(
  '200 for %j',
  async (query) => {
    expect(await search(query)).toEqual({ hits: [], is_more: false });
  },
);

it('needs a credential, and is not stored by caches', async () => {
  expect((await forms.send('GET', '/v1/search?query=a')).status).toBe(401);
  expect((await ask('a')).headers.get('cache-control')).toBe('no-store');
});
