// One search over the records of all directories.
import { group, type TestDirectory, user } from '../harness.js';
import { useFixture } from '../fixture.js';
import { type Hit } from '../../src/hits/hit.types.js';

const fixture = useFixture();

async function search(query: string, pageLimit?: number) {
  const { data, error } = await fixture.test.sync.search.find({ query, pageLimit });
  if (error) throw new Error(error.message);
  return data;
}

const hitsOf = async (query: string): Promise<Hit[]> => (await search(query)).hits;
const titlesOf = async (query: string) => (await hitsOf(query)).map(({ title }) => title);

async function created(directory: TestDirectory, path: string, body: object): Promise<string> {
  const { status, data } = await directory.send('POST', path, body);
  if (status !== 201) throw new Error(JSON.stringify(data));
  return data.id as string;
}

describe('by the beginning of a text', () => {
  it('finds directories, users, groups and webhook endpoints, and says whose they are', async () => {
    const scope = { tenant: 'mixed-tenant', product: 'shop', name: 'MIXED directory' };
    const webhook_url = 'https://mixed.example.com/Hook';
    const directory = await fixture.test.newDirectory({ ...scope, webhook_url });
    const { id } = directory;
    const ada = await created(
      directory,
      '/Users',
      user('Mixed.Ada', {
        displayName: 'Ada',
        emails: [{ value: 'ada@example.com' }],
        active: false,
      }),
    );
    const staff = await created(directory, '/Groups', group('mixed staff'));
    expect(await search('mIxEd')).toEqual({
      hits: [
        {
          kind: 'directory',
          id,
          title: 'MIXED directory',
          detail: 'mixed-tenant · shop',
          parent_id: '',
        },
        {
          kind: 'user',
          id: ada,
          title: 'Mixed.Ada',
          detail: 'Ada · ada@example.com · inactive · mixed-tenant · shop',
          parent_id: id,
        },
        {
          kind: 'group',
          id: staff,
          title: 'mixed staff',
          detail: 'mixed-tenant · shop',
          parent_id: id,
        },
        {
          kind: 'webhook_endpoint',
          id,
          title: webhook_url,
          detail: 'healthy · MIXED directory · mixed-tenant · shop',
          parent_id: id,
        },
      ],
      is_more: false,
    });
    await fixture.test.sync.directories.update(id, { deactivated: true });
    expect(await hitsOf('mixed d')).toMatchObject([
      { detail: 'deactivated · mixed-tenant · shop' },
    ]);
  });

  it('finds a user once, by userName, display name, e-mail address and external id', async () => {
    const id = await created(
      fixture.directory,
      '/Users',
      user('Every-name', {
        displayName: 'every display name',
        externalId: 'EVERY-external',
        emails: [
          { value: 'EVERY-other@example.com', type: 'home' },
          { value: 'Every-mail@example.com', type: 'work' },
        ],
      }),
    );
    for (const query of ['every', 'every-N', 'Every D', 'every-mail@EXAMPLE.com', 'every-ext']) {
      expect((await hitsOf(query)).map((hit) => hit.id)).toEqual([id]);
    }
    expect(await hitsOf('very-name')).toEqual([]);
  });

  it('finds groups by the id of the provider, and endpoints with and without a scheme', async () => {
    const { directory } = fixture;
    const body = { ...group('Of provider'), externalId: 'Provider-7' };
    const id = await created(directory, '/Groups', body);
    expect(await hitsOf('provider-7')).toMatchObject([{ kind: 'group', id }]);
    const url = 'http://scheme.example.com/Path?a=//b';
    const made = await fixture.test.sync.webhookEndpoints.create(directory.id, { url });
    const endpoint = { kind: 'webhook_endpoint', id: made.data?.id, parent_id: directory.id };
    for (const query of ['SCHEME.example', 'http://scheme.', 'https://scheme.', url]) {
      expect(await hitsOf(query)).toMatchObject([endpoint]);
    }
    expect(await hitsOf('Path?')).toEqual([]);
  });

  it.each([
    ['100%_off\\'],
    ['%percent'],
    ['_under'],
    ['\\back'],
    ["'); DROP TABLE dsync.users"],
    ['ÜNÏCÖDÉ'],
    ['ΟΔΟΣ'],
    ['مستخدم الخدمة'],
    ['\u202eright to left'],
    ['🔑🗝️ emoji'],
    ['İstanbul'],
    ['x"quoted"'],
    ['n'.repeat(255)],
    ['😀'.repeat(255)],
  ])('finds %j as it is, and only what begins with it', async (text) => {
    const scope = { tenant: text.replaceAll(':', ''), product: 'odd', name: text };
    const directory = await fixture.test.newDirectory(scope);
    const id = await created(directory, '/Users', user(text, { displayName: text }));
    const groupId = await created(directory, '/Groups', group(text));
    const ids = [directory.id, id, groupId];
    for (const query of [text, text.toLowerCase(), text.toUpperCase()]) {
      expect((await hitsOf(query)).map((hit) => hit.id)).toEqual(ids);
    }
    const first = String.fromCodePoint(text.codePointAt(0) ?? 0);
    for (const title of await titlesOf(first)) {
      expect(title.toLowerCase().startsWith(first.toLowerCase())).toBe(true);
    }
  });

  it('gives at most pageLimit of each kind, whole matches first, and says if there are more', async () => {
    const { directory } = fixture;
    for (const end of ['', '-1', '-2', '-3', '-4', '-5', '-6']) {
      await created(directory, '/Users', user(`crowd${end}`, { displayName: `crowd of ${end}` }));
    }
    await created(directory, '/Groups', group('crowd'));
    const found = async (pageLimit?: number) => {
      const { hits, is_more } = await search('crowd', pageLimit);
      const users = hits.filter(({ kind }) => kind === 'user');
      expect(users[0]?.title).toBe('crowd');
      expect(hits.at(-1)?.kind).toBe('group');
      return [users.length, is_more];
    };
    expect(await found()).toEqual([5, true]);
    expect(await found(1)).toEqual([1, true]);
    expect(await found(7)).toEqual([7, false]);
    expect(await found(1_000)).toEqual([7, false]);
  });

  it('finds nothing of a deleted directory, a deleted user or a former name', async () => {
    const { directories } = fixture.test.sync;
    const gone = await fixture.test.newDirectory({ tenant: 'perished' });
    await created(gone, '/Users', user('perished user'));
    await created(gone, '/Groups', group('perished group'));
    const { directory } = fixture;
    const id = await created(directory, '/Users', user('perished too'));
    const renamed = await created(directory, '/Users', user('perished name'));
    expect(await hitsOf('perished')).toHaveLength(5);
    await directories.delete(gone.id);
    await directory.send('DELETE', `/Users/${id}`);
    await directory.send('PUT', `/Users/${renamed}`, user('lasting name'));
    expect(await hitsOf('perished')).toEqual([]);
    expect(await titlesOf('lasting')).toEqual(['lasting name']);
    for (const each of [gone.id, id]) expect(await hitsOf(each)).toEqual([]);
  });
});

describe('by an id', () => {
  it('finds the record of any kind that has it, and no text that begins with it', async () => {
    const scope = { tenant: 'of-ids', product: 'shop', name: 'Of ids' };
    const directory = await fixture.test.newDirectory(scope);
    const userId = await created(directory, '/Users', user('by-id'));
    const groupId = await created(directory, '/Groups', group('by-id'));
    const { sync } = fixture.test;
    const url = 'https://by-id.example.com';
    const endpoint = await sync.webhookEndpoints.create(directory.id, { url });
    const [event] = (await sync.events.getAll({ directoryId: directory.id })).data ?? [];
    const [runId, linkId, requestId] = [1, 2, 3].map(() => crypto.randomUUID());
    const { query } = fixture.database;
    await query(
      `INSERT INTO dsync.workspace_runs (id, directory_id, trigger, state, phase, position, counts)
        VALUES ($1, $2, 'demand', 'failed', 'users', '', '{}')`,
      [runId, directory.id],
    );
    await query(
      `INSERT INTO dsync.setup_links
        (id, directory_id, secret_sha256, allow, expires_at, session_seconds, csrf_key)
        VALUES ($1, $2, '\\x01', '{}', now(), 60, '\\x02')`,
      [linkId, directory.id],
    );
    await query(
      `INSERT INTO dsync.scim_requests
        (id, directory_id, at, request_id, method, path, status, duration_ms, attributes)
        VALUES ($1, $2, now(), 'r', 'POST', '/Users', 409, 1, '{}')`,
      [requestId, directory.id],
    );
    const owner = 'of-ids · shop';
    for (const [kind, id, title, detail] of [
      ['directory', directory.id, 'Of ids', owner],
      ['user', userId, 'by-id', owner],
      ['group', groupId, 'by-id', owner],
      ['webhook_endpoint', endpoint.data?.id, url, `healthy · Of ids · ${owner}`],
      ['event', event?.id, 'user.created', `Of ids · ${owner}`],
      ['run', runId, 'Of ids', `failed · ${owner}`],
      ['setup_link', linkId, 'Of ids', owner],
      ['scim_request', requestId, 'POST /Users', `409 · Of ids · ${owner}`],
    ] as const) {
      const parent_id = kind === 'directory' ? '' : directory.id;
      for (const text of [` ${id}\n`, String(id).toUpperCase()]) {
        expect(await search(text)).toEqual({
          hits: [{ kind, id, title, detail, parent_id }],
          is_more: false,
        });
      }
    }
    await created(directory, '/Users', user(`${userId}-2`));
    expect(await titlesOf(userId)).toEqual(['by-id']);
    expect(await hitsOf(crypto.randomUUID())).toEqual([]);
  });

  it('finds the users and groups that have it at their provider', async () => {
    const externalId = crypto.randomUUID();
    const other = await fixture.test.newDirectory();
    for (const directory of [fixture.directory, other]) {
      await created(directory, '/Users', user('of-provider', { externalId }));
    }
    await created(other, '/Groups', { ...group('of-provider'), externalId });
    expect((await hitsOf(externalId)).map(({ kind }) => kind)).toEqual(['user', 'user', 'group']);
  });
});

it.each([
  ['', 'query: is required'],
  [' \t\n', 'query: is required'],
  ['nul\0', 'query: must not contain control characters'],
  ['line\nbreak', 'query: must not contain control characters'],
  ['half \ud83d', 'query: must not contain control characters'],
  ['x'.repeat(256), 'query: must not exceed 255 characters'],
  ['😀'.repeat(256), 'query: must not exceed 255 characters'],
  [undefined, 'query: is required'],
  [['a', 'b'], 'query: must be given only once'],
])('400 for the query %j', async (query, message) => {
  const { error } = await fixture.test.sync.search.find({ query: query as string });
  expect(error).toEqual({ message, code: 400 });
});
