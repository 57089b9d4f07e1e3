import { createTestDatabase, type TestDatabase } from '@gatehouse/testing';
import {
  ENTERPRISE,
  filtered,
  openSync,
  patch,
  type TestDirectory,
  type TestSync,
  user,
} from '../../test/harness.js';
import type { DirectoryEvent } from '../events/event.types.js';

let database: TestDatabase;
let test: TestSync;
let directory: TestDirectory;

beforeAll(async () => {
  database = await createTestDatabase();
  test = await openSync(database.url);
});

beforeEach(async () => {
  directory = await test.newDirectory();
});

afterAll(async () => {
  await test.close();
  await database.drop();
});

async function create(body: object): Promise<string> {
  const { status, data } = await directory.send('POST', '/Users', body);
  expect(status).toBe(201);
  return data.id as string;
}

describe('POST /Users', () => {
  it('201: answers with the resource, its address and its version', async () => {
    const answer = await directory.send('POST', '/Users', user('ann@example.com'));
    const location = `${directory.scim.endpoint}/Users/${answer.data.id}`;
    expect(answer).toMatchObject({
      status: 201,
      headers: { Location: location, ETag: 'W/"1"' },
      data: { userName: 'ann@example.com', meta: { resourceType: 'User', location } },
    });
  });

  it('201: never stores a password', async () => {
    const id = await create(user('ann', { password: 'hunter2-hunter2' }));
    const rows = await database.query(
      `SELECT u::text || (SELECT string_agg(e::text, '') FROM dsync.events e) AS text
        FROM dsync.users u WHERE id = $1`,
      [id],
    );
    expect(rows[0]?.text).not.toContain('hunter2');
  });

  it('201: keeps unknown attributes and extensions in raw', async () => {
    const custom = 'urn:ietf:params:scim:schemas:extension:Acme:2.0:User';
    const id = await create(user('ann', { badge: 7, [custom]: { desk: 'B4' } }));
    const { data } = await directory.send('GET', `/Users/${id}`);
    expect(data).toMatchObject({ badge: 7, [custom]: { desk: 'B4' } });
  });

  it('400: names a text that is too long for the index', async () => {
    const { status, data } = await directory.send('POST', '/Users', user('a'.repeat(2_049)));
    expect(status).toBe(400);
    expect(data).toMatchObject({ scimType: 'invalidValue' });
    expect(data.detail).toContain('userName');
  });

  it('401: is the same for a wrong secret, none, an unknown directory and no id at all', async () => {
    const body = user('ann');
    const answers = [
      await directory.send('POST', '/Users', body, { apiSecret: 'wrong' }),
      await directory.send('POST', '/Users', body, { apiSecret: '' }),
      await directory.send('POST', '/Users', body, { directoryId: crypto.randomUUID() }),
      await directory.send('POST', '/Users', body, { directoryId: 'x' }),
    ];
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]).toMatchObject({ status: 401, data: { status: '401' } });
    expect(answers[0]?.headers['WWW-Authenticate']).toMatch(/^Bearer/);
  });

  it('403: a deactivated directory takes nothing', async () => {
    await test.sync.directories.update(directory.id, { deactivated: true });
    expect((await directory.send('POST', '/Users', user('ann'))).status).toBe(403);
    expect(await test.eventsOf(directory)).toEqual([]);
  });

  it('409: one of a hundred simultaneous posts of one userName wins, in any letter case', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        directory.send('POST', '/Users', user(index % 2 ? 'ann@example.com' : 'ANN@Example.com')),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(99);
    expect(answers.find(({ status }) => status === 409)?.data.scimType).toBe('uniqueness');
    expect(await test.eventsOf(directory)).toHaveLength(1);
  });

  it('503: a lost database asks the provider to try again', async () => {
    const other = await createTestDatabase();
    const lost = await openSync(other.url);
    const gone = await lost.newDirectory();
    await other.drop();
    const answer = await gone.send('POST', '/Users', user('ann'));
    expect(answer).toMatchObject({ status: 503, data: { status: '503' } });
    expect(Number(answer.headers['Retry-After'])).toBeGreaterThan(0);
    await lost.close();
  });
});

describe('PUT and PATCH /Users/:id', () => {
  it('200: a write that changes nothing makes no event and no version', async () => {
    const body = user('ann', { name: { givenName: 'Ann' }, active: true });
    const id = await create(body);
    const put = await directory.send('PUT', `/Users/${id}`, body);
    const same = await directory.send(
      'PATCH',
      `/Users/${id}`,
      patch({ op: 'Replace', path: 'active', value: 'True' }),
    );
    for (const { status, data } of [put, same]) {
      expect([status, data.meta.version]).toEqual([200, 'W/"1"']);
    }
    expect(await test.eventsOf(directory)).toHaveLength(1);
  });

  it('200: nothing of concurrent changes of one user is lost', async () => {
    const id = await create(user('ann'));
    const types = Array.from({ length: 40 }, (_, index) => `type-${index}`);
    const answers = await Promise.all(
      types.map((type) =>
        directory.send(
          'PATCH',
          `/Users/${id}`,
          patch({ op: 'add', path: 'emails', value: [{ type, value: `${type}@x.example` }] }),
        ),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const { data } = await directory.send('GET', `/Users/${id}`);
    expect((data.emails as { type: string }[]).map(({ type }) => type).sort()).toEqual(
      [...types].sort(),
    );
    expect(data.meta.version).toBe('W/"41"');
  });

  it('400: nothing is written by a PATCH that fails in the middle', async () => {
    const id = await create(user('ann', { title: 'before' }));
    const { status, data } = await directory.send(
      'PATCH',
      `/Users/${id}`,
      patch({ op: 'replace', path: 'title', value: 'after' }, { op: 'remove' }),
    );
    expect([status, data.scimType]).toEqual([400, 'noTarget']);
    expect((await directory.send('GET', `/Users/${id}`)).data.title).toBe('before');
    expect(await test.eventsOf(directory)).toHaveLength(1);
  });

  it('204: answers a PATCH without the resource for Prefer: return=minimal', async () => {
    const id = await create(user('ann'));
    const change = patch({ op: 'replace', path: 'title', value: 'x' });
    const answer = await directory.send('PATCH', `/Users/${id}`, change, { prefersMinimal: true });
    expect(answer).toMatchObject({ status: 204, data: null, headers: { ETag: 'W/"2"' } });
  });

  it('409: the userName of another user, in another case', async () => {
    await create(user('ann'));
    const id = await create(user('bob'));
    for (const [method, body] of [
      ['PUT', user('ANN')],
      ['PATCH', patch({ op: 'replace', path: 'userName', value: 'ANN' })],
    ] as const) {
      const { status, data } = await directory.send(method, `/Users/${id}`, body);
      expect([status, data.scimType]).toEqual([409, 'uniqueness']);
    }
  });

  it('412: a version that is no longer the stored one', async () => {
    const id = await create(user('ann'));
    await directory.send('PUT', `/Users/${id}`, user('ann', { title: 'x' }));
    for (const [method, body] of [
      ['PUT', user('ann')],
      ['PATCH', patch({ op: 'replace', path: 'title', value: 'y' })],
      ['DELETE', undefined],
    ] as const) {
      const answer = await directory.send(method, `/Users/${id}`, body, { ifMatch: 'W/"1"' });
      expect(answer.status).toBe(412);
    }
    const stale = await directory.send('GET', `/Users/${id}`, undefined, { ifNoneMatch: 'W/"2"' });
    expect(stale).toMatchObject({ status: 304, data: null });
  });
});

describe('events of a user', () => {
  const shapeOf = ({ event, data, previous }: DirectoryEvent) => ({ event, data, previous });

  it('hold the record, and on updates the changed members with their old values', async () => {
    const mapped = await test.newDirectory({
      attribute_mapping: { department: `${ENTERPRISE}:department` },
    });
    const body = user('ann@example.com', {
      name: { givenName: 'Ann', familyName: 'Zed' },
      [ENTERPRISE]: { department: 'R&D' },
    });
    const { data } = await mapped.send('POST', '/Users', body);
    const id = data.id as string;
    await mapped.send(
      'PATCH',
      `/Users/${id}`,
      patch({ op: 'replace', path: 'active', value: false }),
    );
    await mapped.send('DELETE', `/Users/${id}`);

    const events = await test.eventsOf(mapped);
    const record = {
      id,
      first_name: 'Ann',
      last_name: 'Zed',
      email: 'ann@example.com',
      custom_attributes: { department: 'R&D' },
    };
    expect(events.map(shapeOf)).toMatchObject([
      { event: 'user.created', data: { ...record, active: true } },
      {
        event: 'user.updated',
        data: { ...record, active: false, raw: { active: false, id } },
        previous: { active: true, raw: { userName: 'ann@example.com', id } },
      },
      { event: 'user.deleted', data: { ...record, active: false } },
    ]);
    expect(Object.keys(events[1]?.previous ?? {})).toEqual(['active', 'raw']);
    expect(Object.keys(events[1] ?? {}).slice(0, 9)).toEqual([
      'event',
      'tenant',
      'product',
      'directory_id',
      'data',
      'id',
      'sequence',
      'created_at',
      'previous',
    ]);
  });

  it('reach the callback after the commit, in order, and a callback that throws harms nothing', async () => {
    const seen: string[] = [];
    const callback = async (event: DirectoryEvent) => {
      const { data } = await test.sync.events.get(event.id);
      seen.push(`${event.event} ${data?.sequence === event.sequence}`);
      throw new Error('the callback of the caller fails');
    };
    const { data } = await directory.send('POST', '/Users', user('ann'), { callback });
    const { status } = await directory.send('DELETE', `/Users/${data.id}`, undefined, { callback });
    expect(status).toBe(204);
    expect(seen).toEqual(['user.created true', 'user.deleted true']);
  });

  it('wake the lane of a directory with a webhook, and are logged only without one', async () => {
    const sending = await test.newDirectory({ webhook_url: 'http://127.0.0.1:9/hook' });
    test.woken.length = 0;
    await sending.send('POST', '/Users', user('ann'));
    await sending.send('GET', '/Users');
    await directory.send('POST', '/Users', user('ann'));
    expect(test.woken).toEqual([sending.id]);
    const states = [sending, directory].map(async (each) => {
      const { data } = await test.sync.events.getAll({ directoryId: each.id });
      return data?.map(({ state }) => state);
    });
    expect(await Promise.all(states)).toEqual([['pending'], ['not_sent']]);
  });
});

describe('requests.handle', () => {
  it('takes the request object of a program, also with a body as text', async () => {
    const request = {
      directoryId: directory.id,
      apiSecret: directory.scim.secret,
      resourceType: 'users' as const,
    };
    const { handle } = test.sync.requests;
    const created = await handle.call(test.sync.requests, {
      ...request,
      method: 'POST',
      resourceId: '',
      body: JSON.stringify(user('ann')),
    });
    expect(created).toMatchObject({ status: 201, data: { userName: 'ann' } });
    const listed = await test.sync.requests.handle({
      ...request,
      method: 'GET',
      resourceId: '',
      query: { filter: 'userName eq "ANN"', startIndex: 1, count: 10 },
    });
    expect(listed).toMatchObject({ status: 200, data: { totalResults: 1 } });
    expect(Object.keys(listed).sort()).toEqual(['data', 'status']);
  });

  it('answers nonsense with an error body and never throws', async () => {
    for (const request of [undefined, null, {}, { method: 1 }, { resourceType: 'x', body: '{' }]) {
      const { status, data } = await test.sync.requests.handle(request as never);
      expect([status, data?.status]).toEqual([401, '401']);
    }
    const { status } = await directory.send('POST', '/Users', '{"userName":');
    expect(status).toBe(400);
  });
});

describe('ten tenants at once', () => {
  it('keep every row where it belongs through 200 mixed calls', async () => {
    const directories = await Promise.all(
      Array.from({ length: 10 }, (_, tenant) => test.newDirectory({ tenant: `mixed-${tenant}` })),
    );
    await Promise.all(
      directories.flatMap((each, tenant) =>
        Array.from({ length: 10 }, async (_, index) => {
          const userName = `user-${index}`;
          const { data } = await each.send(
            'POST',
            '/Users',
            user(userName, { title: `${tenant}` }),
          );
          const name = { op: 'add', path: 'displayName', value: `of ${tenant}` };
          await each.send('PATCH', `/Users/${data.id}`, patch(name));
        }),
      ),
    );
    for (const [tenant, each] of directories.entries()) {
      const { data } = await each.send('GET', filtered('Users', `displayName eq "of ${tenant}"`));
      expect(data.totalResults).toBe(10);
      expect(data.Resources.every(({ title }: { title: string }) => title === `${tenant}`)).toBe(
        true,
      );
      const users = test.sync.users.setTenantAndProduct(`mixed-${tenant}`, 'product');
      expect((await users.getAll()).data).toHaveLength(10);
    }
  });
});
