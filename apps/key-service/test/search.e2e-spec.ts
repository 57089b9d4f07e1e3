/** One search over keys, trust rules, actors, webhook endpoints, portal sessions and events. */
import { type KeyServiceStack, namedFields, startKeyService } from './key-stack.js';

let service: KeyServiceStack;
beforeAll(async () => {
  service = await startKeyService({
    WEBHOOK_ALLOW_PRIVATE: 'true',
    EXTERNAL_URL: 'https://keys.example.com',
  });
});
afterAll(() => service.close());

interface Hit {
  kind: string;
  id: string;
  title: string;
  detail: string;
}

const search = (query: string, more: Record<string, string> = {}) =>
  service.admin('GET', `/search?${new URLSearchParams({ query, ...more }).toString()}`);
const hitsOf = async (query: string): Promise<Hit[]> => {
  const { status, body } = await search(query);
  expect(status).toBe(200);
  return body.hits;
};
const titlesOf = async (query: string) => (await hitsOf(query)).map(({ title }) => title);
const post = async (path: string, json: object) => {
  const { status, body } = await service.admin('POST', path, json);
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body;
};
const RULE = {
  scopes: ['orders:read'],
  issuer: 'https://issuer.example.com',
  audience: 'https://keys.example.com',
  subject_pattern: 'deploy',
};

describe('by the beginning of a text', () => {
  it('finds keys of each kind and their actors, in any case, and says what they are', async () => {
    const { key } = await service.issue({ name: 'Kiosk 1', actor_id: 'KIOSK-owner' });
    const fields = { name: 'kiosk 2', actor_id: 'other' };
    const imported = await post('/importedApiKeys', { ...fields, raw_key: 'kiosk-raw-key' });
    const rule = await post('/trustRules', { ...fields, ...RULE, name: 'KIOSK 3' });
    await service.issue({ name: 'A kiosk', actor_id: 'x' });
    await service.admin('POST', `/apiKeys/${imported.key_id}:pause`, {});
    const { body } = await search('  kIosK ');
    expect(body).toEqual({
      hits: [
        {
          kind: 'issued_api_key',
          id: key.key_id,
          title: 'Kiosk 1',
          detail: `active · KIOSK-owner · ${key.key_preview}`,
          parent_id: '',
        },
        {
          kind: 'imported_api_key',
          id: imported.key_id,
          title: 'kiosk 2',
          detail: 'paused · other',
          parent_id: '',
        },
        {
          kind: 'trust_rule',
          id: rule.key_id,
          title: 'KIOSK 3',
          detail: 'active · other',
          parent_id: '',
        },
        { kind: 'actor', id: 'KIOSK-owner', title: 'KIOSK-owner', detail: '', parent_id: '' },
      ],
      is_more: false,
    });
  });

  it.each([
    ['100%_off\\'],
    ['%percent'],
    ['_under'],
    ['\\back'],
    ["'); DROP TABLE"],
    ['Ünïcödé'],
    ['مفتاح الخدمة'],
    ['\u202eright to left'],
    ['🔑🗝️ emoji'],
    ['İstanbul'],
    ['x"quoted"'],
    ['null'],
    ['n'.repeat(255)],
    ['😀'.repeat(255)],
  ])('finds %j as it is, and only what begins with it', async (name) => {
    const { key } = await service.issue({ name, actor_id: 'hostile' });
    for (const text of [name, name.toUpperCase()]) {
      const hits = await hitsOf(text);
      expect(hits.map(({ id }) => id)).toEqual([key.key_id]);
    }
    const first = String.fromCodePoint(name.codePointAt(0) ?? 0);
    const found = (await search(first, { page_size: '20' })).body.hits as Hit[];
    const titles = found.filter(({ kind }) => kind === 'issued_api_key').map(({ title }) => title);
    expect(titles).toContain(name);
    expect(titles.map((title) => title.slice(0, first.length).toLowerCase())).toEqual(
      titles.map(() => first.toLowerCase()),
    );
  });

  it('lists each actor once, however many keys it has, and ids that differ in case apart', async () => {
    for (const actor_id of ['Twin', 'twin', 'twin', 'Twin-2', 'twin']) {
      await service.issue({ name: 'One of several', actor_id });
    }
    const hits = await hitsOf('TWIN');
    expect(hits.map(({ kind, id }) => [kind, id])).toEqual([
      ['actor', 'Twin'],
      ['actor', 'twin'],
      ['actor', 'Twin-2'],
    ]);
  });

  it('lists keys of equal names the newest first, at most page_size of each kind', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 7; index += 1) {
      const { key } = await service.issue({ name: 'Same name', actor_id: `many-${index}` });
      ids.unshift(key.key_id);
    }
    const idsOf = async (more: Record<string, string>) => {
      const { body } = await search('same', more);
      return [body.hits.map(({ id }: Hit) => id), body.is_more];
    };
    expect(await idsOf({})).toEqual([ids.slice(0, 5), true]);
    expect(await idsOf({ page_size: '0' })).toEqual([ids.slice(0, 5), true]);
    expect(await idsOf({ page_size: '2' })).toEqual([ids.slice(0, 2), true]);
    expect(await idsOf({ page_size: '7' })).toEqual([ids, false]);
    expect(await idsOf({ page_size: '1000' })).toEqual([ids, false]);
  });

  it('finds no erased key, and follows a change of a name', async () => {
    const { key } = await service.issue({ name: 'Perishable', actor_id: 'perishable-person' });
    const path = `/issuedApiKeys/${key.key_id}`;
    await service.admin('PATCH', path, { name: 'Durable' });
    expect(await titlesOf('durable')).toEqual(['Durable']);
    expect(await titlesOf('perishable')).toEqual(['perishable-person']);
    await service.admin('POST', `/apiKeys/${key.key_id}:revoke`, {});
    const erased = await service.admin('POST', `/apiKeys/${key.key_id}:erase`, {});
    expect(erased.status).toBe(200);
    expect([await titlesOf('durable'), await titlesOf('perishable')]).toEqual([[], []]);
    const [hit] = await hitsOf(key.key_id);
    expect(hit).toMatchObject({ title: key.key_preview, detail: `revoked · ${key.key_preview}` });
  });

  it('finds webhook endpoints by their URL, with or without its scheme', async () => {
    const url = 'http://127.0.0.1:9/Hooks/search';
    const { id } = await post('/webhook-endpoints', { url });
    for (const query of ['http://127.0.0.1:9/h', '127.0.0.1:9/HOOKS', url]) {
      expect(await hitsOf(query)).toMatchObject([
        { kind: 'webhook_endpoint', id, title: url, detail: 'healthy' },
      ]);
    }
    expect(await hitsOf('hooks/search')).toEqual([]);
  });
});

describe('by an id', () => {
  it('finds the key, the endpoint, the portal session or the event that has it', async () => {
    const { key } = await service.issue({ name: 'By id', actor_id: 'id-owner' });
    const endpoint = await post('/webhook-endpoints', { url: 'http://127.0.0.1:9/by-id' });
    const { portal_session: session } = await post('/portalSessions', { actor_id: 'id-owner' });
    const { body } = await service.admin('GET', '/events?page_size=1000');
    const event = body.events.at(-1);
    for (const [id, kind, title] of [
      [key.key_id, 'issued_api_key', 'By id'],
      [key.key_id.toUpperCase(), 'issued_api_key', 'By id'],
      [endpoint.id, 'webhook_endpoint', 'http://127.0.0.1:9/by-id'],
      [session.session_id, 'portal_session', 'id-owner'],
      [event.id, 'event', 'key.issued'],
    ]) {
      expect(await hitsOf(id)).toMatchObject([{ kind, id: id.toLowerCase(), title }]);
    }
    expect(await hitsOf('01983f6e-7c10-7000-8000-2f6d1c7a9b01')).toEqual([]);
  });

  it('finds an actor whose id is a UUID, but no key that has it as its name', async () => {
    const uuid = '01983f6e-7c10-7000-8000-2f6d1c7a9b02';
    await service.issue({ name: uuid, actor_id: uuid });
    expect(await hitsOf(uuid)).toMatchObject([{ kind: 'actor', id: uuid }]);
  });
});

describe('by a part of a secret', () => {
  it('finds the issued key by its preview, its end or its beginning', async () => {
    const { key, secret } = await service.issue({ name: 'Part', actor_id: 'part' });
    for (const text of [
      key.key_preview,
      `…${secret.slice(-4)}`,
      secret.slice(-4),
      `${secret.slice(0, 30)}…`,
    ]) {
      expect((await hitsOf(text)).map(({ id }) => id)).toContain(key.key_id);
    }
  });

  it('400 for a whole secret, which the answer does not repeat', async () => {
    const { secret } = await service.issue();
    const answer = await search(secret);
    expect([answer.status, namedFields(answer)]).toEqual([400, ['query']]);
    expect(answer.text).not.toContain(secret);
  });
});

describe('400', () => {
  it.each(['', '   ', 'nul\0', 'line\nbreak', 'x'.repeat(256), '😀'.repeat(256)])(
    'for the query %j',
    async (query) => {
      const answer = await search(query);
      expect([answer.status, namedFields(answer)]).toEqual([400, ['query']]);
    },
  );

  it('without a query, with two, with another parameter or a size that is no number', async () => {
    for (const [query, field] of [
      ['', 'query'],
      ['?query=a&query=b', 'query'],
      ['?query=a&page_token=b', 'page_token'],
      ['?query=a&page_size=many', 'page_size'],
    ]) {
      const answer = await service.admin('GET', `/search${query}`);
      expect([query, answer.status, namedFields(answer)]).toEqual([query, 400, [field]]);
    }
  });
});
