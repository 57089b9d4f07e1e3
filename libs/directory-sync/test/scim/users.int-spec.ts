import { createSyncDatabase, filtered, group, openSync, patch, user } from '../harness.js';
import { useFixture } from '../fixture.js';

const fixture = useFixture();

async function create(body: object): Promise<string> {
  const { status, data } = await fixture.directory.send('POST', '/Users', body);
  expect(status).toBe(201);
  return data.id as string;
}

describe('POST /Users', () => {
  it('201: returns the resource, its location and its version', async () => {
    const answer = await fixture.directory.send('POST', '/Users', user('ann@example.com'));
    const location = `${fixture.directory.scim.endpoint}/Users/${answer.data.id}`;
    expect(answer).toMatchObject({
      status: 201,
      headers: { Location: location, ETag: 'W/"1"' },
      data: { userName: 'ann@example.com', meta: { resourceType: 'User', location } },
    });
  });

  it('201: never stores a password', async () => {
    const id = await create(user('ann', { password: 'hunter2-hunter2' }));
    const rows = await fixture.database.query(
      `SELECT u::text || (SELECT string_agg(e::text, '') FROM dsync.events e) AS text
        FROM dsync.users u WHERE id = $1`,
      [id],
    );
    expect(rows[0]?.text).not.toContain('hunter2');
  });

  it('201: keeps unknown attributes and extensions in raw', async () => {
    const custom = 'urn:ietf:params:scim:schemas:extension:Acme:2.0:User';
    const id = await create(user('ann', { badge: 7, [custom]: { desk: 'B4' } }));
    const { data } = await fixture.directory.send('GET', `/Users/${id}`);
    expect(data).toMatchObject({ badge: 7, [custom]: { desk: 'B4' } });
  });

  it('400: names an attribute that is too long for its index', async () => {
    const { status, data } = await fixture.directory.send(
      'POST',
      '/Users',
      user('a'.repeat(2_049)),
    );
    expect(status).toBe(400);
    expect(data).toMatchObject({ scimType: 'invalidValue' });
    expect(data.detail).toContain('userName');
  });

  it('401: is the same for a wrong or missing secret, an unknown directory and an invalid id', async () => {
    const body = user('ann');
    const answers = [
      await fixture.directory.send('POST', '/Users', body, { apiSecret: 'wrong' }),
      await fixture.directory.send('POST', '/Users', body, { apiSecret: '' }),
      await fixture.directory.send('POST', '/Users', body, { directoryId: crypto.randomUUID() }),
      await fixture.directory.send('POST', '/Users', body, { directoryId: 'x' }),
    ];
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]).toMatchObject({ status: 401, data: { status: '401' } });
    expect(answers[0]?.headers['WWW-Authenticate']).toMatch(/^Bearer/);
  });

  it('403: a deactivated directory accepts no requests', async () => {
    await fixture.test.sync.directories.update(fixture.directory.id, { deactivated: true });
    expect((await fixture.directory.send('POST', '/Users', user('ann'))).status).toBe(403);
    expect(await fixture.test.eventsOf(fixture.directory)).toEqual([]);
  });

  it('409: a userName in another Unicode form counts as equal (RFC 8265)', async () => {
    await create(user('caf\u00e9'));
    await create(user('\uff41nn'));
    for (const userName of ['CAFE\u0301', 'Ann']) {
      const { status, data } = await fixture.directory.send('POST', '/Users', user(userName));
      expect([status, data.scimType]).toEqual([409, 'uniqueness']);
      const found = await fixture.directory.send(
        'GET',
        filtered('Users', `userName eq "${userName}"`),
      );
      expect(found.data.totalResults).toBe(1);
    }
  });

  it('503: a lost database has Retry-After', async () => {
    const other = await createSyncDatabase();
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
  it('200: a write of equal values creates no event and no version', async () => {
    const body = user('ann', { name: { givenName: 'Ann' }, active: true });
    const id = await create(body);
    const put = await fixture.directory.send('PUT', `/Users/${id}`, body);
    const same = await fixture.directory.send(
      'PATCH',
      `/Users/${id}`,
      patch({ op: 'Replace', path: 'active', value: 'True' }),
    );
    for (const { status, data } of [put, same]) {
      expect([status, data.meta.version]).toEqual([200, 'W/"1"']);
    }
    expect(await fixture.test.eventsOf(fixture.directory)).toHaveLength(1);
  });

  it('400: a PATCH with a failing operation writes nothing', async () => {
    const id = await create(user('ann', { title: 'before' }));
    const { status, data } = await fixture.directory.send(
      'PATCH',
      `/Users/${id}`,
      patch({ op: 'replace', path: 'title', value: 'after' }, { op: 'remove' }),
    );
    expect([status, data.scimType]).toEqual([400, 'noTarget']);
    expect((await fixture.directory.send('GET', `/Users/${id}`)).data.title).toBe('before');
    expect(await fixture.test.eventsOf(fixture.directory)).toHaveLength(1);
  });

  it('204: a PATCH with Prefer: return=minimal returns no resource', async () => {
    const id = await create(user('ann'));
    const change = patch({ op: 'replace', path: 'title', value: 'x' });
    const answer = await fixture.directory.send('PATCH', `/Users/${id}`, change, {
      prefersMinimal: true,
    });
    expect(answer).toMatchObject({ status: 204, data: null, headers: { ETag: 'W/"2"' } });
  });

  it('200: a PATCH that sets the id to its own value changes nothing; another value is 400', async () => {
    const { directory } = fixture;
    const users = `/Users/${await create(user('ann'))}`;
    const { data } = await directory.send('POST', '/Groups', { displayName: 'devs' });
    for (const path of [users, `/Groups/${data.id}`]) {
      const id = path.split('/').at(-1) ?? '';
      const send = (value: string) =>
        directory.send('PATCH', path, patch({ op: 'replace', path: 'id', value }));
      const same = await send(id);
      expect([same.status, same.data.meta.version]).toEqual([200, 'W/"1"']);
      const other = await send(crypto.randomUUID());
      expect([other.status, other.data.scimType]).toEqual([400, 'mutability']);
    }
    const titled = patch({ op: 'replace', value: { id: users.split('/')[2], title: 'Dr' } });
    const changed = await directory.send('PATCH', users, titled);
    expect(changed.data).toMatchObject({ title: 'Dr', meta: { version: 'W/"2"' } });
    const raw = await fixture.database.query(`SELECT raw ? 'id' AS has_id FROM dsync.users`);
    expect(raw.every(({ has_id }) => has_id === false)).toBe(true);
  });

  it.each([
    ['a PUT without it', 'PUT', user('ann', { title: 'x' })],
    ['a PUT with null', 'PUT', user('ann', { active: null })],
    ['its removal', 'PATCH', patch({ op: 'remove', path: 'active' })],
    ['a replacement by null', 'PATCH', patch({ op: 'replace', path: 'active', value: null })],
    ['null in an object', 'PATCH', patch({ op: 'replace', value: { active: null, title: 'x' } })],
  ])('200: %s activates no user and suspends none', async (_title, method, body) => {
    for (const active of [false, true]) {
      const id = await create(user('ann', { active }));
      // The first change is based on the cached user, the second one on the stored user.
      for (const test of [fixture.test, await openSync(fixture.database.url)]) {
        const { data: directory } = await test.sync.directories.get(fixture.directory.id);
        const answer = await test.sync.requests.handle({
          method,
          body,
          directoryId: fixture.directory.id,
          resourceType: 'users',
          resourceId: id,
          apiSecret: directory?.scim.secret ?? '',
        });
        expect([answer.status, answer.data?.active]).toEqual([200, active]);
        if (test !== fixture.test) await test.close();
      }
      const { data: users } = await fixture.test.sync.users
        .inScope({ directoryId: fixture.directory.id })
        .getAll();
      expect(users?.map((each) => [each.active, each.raw.active])).toEqual([[active, active]]);
      await fixture.directory.send('DELETE', `/Users/${id}`);
    }
  });

  it('200: returns the attributes that the query selects, even with return=minimal', async () => {
    const id = await create(user('ann'));
    const change = patch({ op: 'replace', path: 'title', value: 'x' });
    const path = `/Users/${id}?Attributes=title`;
    const answer = await fixture.directory.send('PATCH', path, change, { prefersMinimal: true });
    expect([answer.status, answer.data?.title]).toEqual([200, 'x']);
  });

  it('409: the userName of another user, in another case', async () => {
    await create(user('ann'));
    const id = await create(user('bob'));
    for (const [method, body] of [
      ['PUT', user('ANN')],
      ['PATCH', patch({ op: 'replace', path: 'userName', value: 'ANN' })],
    ] as const) {
      const { status, data } = await fixture.directory.send(method, `/Users/${id}`, body);
      expect([status, data.scimType]).toEqual([409, 'uniqueness']);
    }
  });

  it('413: many PATCHes cannot grow a resource beyond the limit', async () => {
    const path = `/Users/${await create(user('ann'))}`;
    const statuses: number[] = [];
    for (const name of ['a', 'b', 'c']) {
      const change = patch({ op: 'add', path: name, value: 'x'.repeat(1_900_000) });
      statuses.push((await fixture.directory.send('PATCH', path, change)).status);
    }
    expect(statuses).toEqual([200, 200, 413]);
    expect((await fixture.directory.send('GET', path)).data.c).toBeUndefined();
  });

  it('412: any version of what has none, and of a group that is read', async () => {
    const { send } = fixture.directory;
    const created = await send('POST', '/Groups', group('versioned'));
    const path = `/Groups/${created.data.id as string}`;
    for (const [method, address, body] of [
      ['GET', path],
      ['GET', '/Users'],
      ['GET', '/'],
      ['GET', '/Schemas'],
      ['GET', '/ServiceProviderConfig'],
      ['POST', '/.search', {}],
      ['POST', '/Users', user('never-made')],
    ] as const) {
      const statusOf = async (ifMatch: string) =>
        (await send(method, address, body, { ifMatch })).status;
      expect([address, await statusOf('W/"99"'), await statusOf('')]).toEqual([address, 412, 412]);
    }
    const matching = { ifMatch: created.headers.ETag, ifNoneMatch: created.headers.ETag };
    expect((await send('GET', path, undefined, matching)).status).toBe(304);
    expect((await send('GET', path, undefined, { ifMatch: '*' })).status).toBe(200);
    expect((await send('GET', '/Users', undefined, { ifMatch: '*' })).status).toBe(200);
  });

  it('412: an outdated version', async () => {
    const id = await create(user('ann'));
    await fixture.directory.send('PUT', `/Users/${id}`, user('ann', { title: 'x' }));
    for (const [method, body] of [
      ['PUT', user('ann')],
      ['PATCH', patch({ op: 'replace', path: 'title', value: 'y' })],
      ['DELETE', undefined],
      ['GET', undefined],
    ] as const) {
      const answer = await fixture.directory.send(method, `/Users/${id}`, body, {
        ifMatch: 'W/"1"',
      });
      expect([method, answer.status]).toEqual([method, 412]);
    }
    const taken = { ifNoneMatch: '*' };
    expect((await fixture.directory.send('PUT', `/Users/${id}`, user('ann'), taken)).status).toBe(
      412,
    );
    expect((await fixture.directory.send('DELETE', `/Users/${id}`, undefined, taken)).status).toBe(
      412,
    );
    const stale = await fixture.directory.send('GET', `/Users/${id}`, undefined, {
      ifNoneMatch: 'W/"2"',
    });
    expect(stale).toMatchObject({ status: 304, data: null });
  });
});
