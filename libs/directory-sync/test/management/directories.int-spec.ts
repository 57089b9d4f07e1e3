import { ENCRYPTION_KEYS, ENTERPRISE, EXTERNAL_URL, group, openSync, user } from '../harness.js';
import { useFixture } from '../fixture.js';
import { createDirectorySync } from '../../src/controller.js';

const fixture = useFixture();

const scope = { tenant: 'acme', product: 'crm' };

describe('directories.create', () => {
  it('applies defaults', async () => {
    const { data, error } = await fixture.test.sync.directories.create(scope);
    expect(error).toBeNull();
    expect(data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'scim-acme-crm',
      ...scope,
      type: 'generic-scim-v2',
      log_webhook_events: false,
      deactivated: false,
      webhook: { endpoint: '', secret: '' },
      scim: {
        path: `/api/scim/v2.0/${data?.id}`,
        endpoint: `${EXTERNAL_URL}/api/scim/v2.0/${data?.id}`,
        secret: expect.stringMatching(/^[\w-]{43}$/),
      },
    });
  });

  it('generates a secret for a webhook without one', async () => {
    const { data } = await fixture.test.sync.directories.create({
      ...scope,
      webhook_url: 'https://example.com/hook',
    });
    expect(data?.webhook.secret).toMatch(/^whsec_/);
  });

  it.each([
    [{ product: 'crm' }, 'tenant: is required'],
    [{ tenant: 'acme' }, 'product: is required'],
    [{ tenant: 'a:b', product: 'crm' }, 'tenant cannot contain the character :'],
    [{ tenant: 'acme', product: 'a:b' }, 'product cannot contain the character :'],
    [{ ...scope, type: 'ldap' }, 'type: must be one of'],
    [{ ...scope, type: 'constructor' }, 'type: must be one of'],
    [{ ...scope, type: 'workspace' }, 'type: workspace directories are not available yet'],
    [{ ...scope, type: 'google' }, 'type: workspace directories are not available yet'],
    [{ ...scope, name: 7 }, 'name: must be a string'],
    [{ ...scope, name: 'a\u0000b' }, 'name: must not contain control characters'],
    [{ ...scope, tenant: 'x'.repeat(513) }, 'tenant: must not exceed 512 characters'],
    [{ ...scope, webhook_url: 'ftp://example.com' }, 'webhook_url: must be an http or https URL'],
    [{ ...scope, webhook_url: 'https://u:p@example.com' }, 'webhook_url: must not contain a user'],
    [{ ...scope, webhook_secret: 'wörd' }, 'webhook_secret: must be visible ASCII'],
    [{ ...scope, attribute_mapping: [] }, 'attribute_mapping: must be an object'],
    [{ ...scope, attribute_mapping: { __proto__x: 7 } }, 'attribute_mapping'],
    [{ ...scope, attribute_mapping: { rank: 'title[[' } }, 'attribute_mapping.rank: The path'],
    [{ ...scope, attribute_mapping: { rank: 'name.nothing' } }, 'attribute_mapping.rank: The path'],
  ])('400: %j', async (input, message) => {
    const { data, error } = await fixture.test.sync.directories.create(input as never);
    expect(data).toBeNull();
    expect(error?.code).toBe(400);
    expect(error?.message).toContain(message);
  });

  it.each([
    'http://127.0.0.1/hook',
    'http://[::1]/hook',
    'http://localhost:8080/',
    'https://10.0.0.8/',
    'https://169.254.169.254/latest/meta-data',
    'https://[::ffff:192.168.0.1]/',
    'https://0x7f000001/',
  ])('400: the outbound policy refuses %s', async (webhook_url) => {
    const strict = createDirectorySync({
      dataSource: fixture.test.dataSource,
      externalUrl: EXTERNAL_URL,
      encryptionKeys: ENCRYPTION_KEYS,
    });
    const { error } = await strict.directories.create({ ...scope, webhook_url });
    expect(error).toMatchObject({ code: 400 });
    expect(error?.message).toContain('webhook_url');
  });
});

describe('directories', () => {
  it('are listed by tenant and product, by product, by provider, newest first', async () => {
    const [tenant, product] = ['listed', 'listing'];
    const first = await fixture.test.newDirectory({ tenant, product, type: 'okta-scim-v2' });
    const second = await fixture.test.newDirectory({ tenant, product });
    const { directories } = fixture.test.sync;
    const ids = async (listing: ReturnType<typeof directories.getAll>) =>
      (await listing).data?.map(({ id }) => id);
    expect(await ids(directories.getByTenantAndProduct(tenant, product))).toEqual([
      second.id,
      first.id,
    ]);
    expect(await ids(directories.filterBy({ product, pageLimit: 1 }))).toEqual([second.id]);
    expect(await ids(directories.filterBy({ provider: 'okta-scim-v2' }))).toEqual([first.id]);
    expect(await ids(directories.getByTenantAndProduct(tenant, 'other'))).toEqual([]);
    expect((await directories.filterBy({})).error?.code).toBe(400);
    expect((await directories.getAll({ pageLimit: 'x' as never })).error?.code).toBe(400);
  });

  it('404: unknown ids and values that are not ids', async () => {
    const { directories } = fixture.test.sync;
    for (const id of [crypto.randomUUID(), 'nobody', '', undefined as never]) {
      const results = [
        await directories.get(id),
        await directories.update(id, { name: 'x' }),
        await directories.delete(id),
        await directories.rotateSecret(id),
        await directories.status(id),
      ];
      for (const { error } of results) {
        expect(error).toEqual({ message: 'Directory not found.', code: 404 });
      }
    }
  });

  it('lose all their rows on deletion', async () => {
    const directory = await fixture.test.newDirectory();
    const { data } = await directory.send('POST', '/Users', user('ann'));
    await directory.send('POST', '/Groups', group('devs', [data.id as string]));
    expect(await fixture.test.sync.directories.delete(directory.id)).toEqual({
      data: null,
      error: null,
    });
    expect((await directory.send('GET', '/Users')).status).toBe(401);
    for (const table of ['users', 'groups', 'events', 'lanes']) {
      const rows = await fixture.database.query(
        `SELECT FROM dsync.${table} WHERE directory_id = $1`,
        [directory.id],
      );
      expect(rows).toEqual([]);
    }
    const [members] = await fixture.database.query<{ count: string }>(
      'SELECT count(*) FROM dsync.group_members WHERE user_id = $1',
      [data.id],
    );
    expect(members?.count).toBe('0');
  });

  it('change only the given values', async () => {
    const directory = await fixture.test.newDirectory({ webhook_url: 'https://example.com/a' });
    const { data } = await fixture.test.sync.directories.update(directory.id, {
      name: 'renamed',
      log_webhook_events: true,
    });
    const { send, ...before } = directory;
    expect(send).toBeDefined();
    expect(data).toEqual({ ...before, name: 'renamed', log_webhook_events: true });
    const without = await fixture.test.sync.directories.update(directory.id, { webhook_url: '' });
    expect(without.data?.webhook.endpoint).toBe('');
  });

  it('400: a change to a workspace directory is not available yet', async () => {
    const directory = await fixture.test.newDirectory();
    for (const type of ['workspace', 'google']) {
      const changes = { type } as object;
      const { error } = await fixture.test.sync.directories.update(directory.id, changes);
      const message = 'type: workspace directories are not available yet';
      expect(error).toEqual({ code: 400, message });
    }
  });

  it('400: one error names every invalid field', async () => {
    const input = { tenant: '', product: 'a:b', type: 'ldap', log_webhook_events: 'yes' };
    const { error } = await fixture.test.sync.directories.create(input as never);
    expect(error?.message).toMatch(
      /^tenant: is required; product cannot contain the character :; type: must be one of .*; log_webhook_events: must be true or false$/,
    );
  });

  it('map custom attributes of users', async () => {
    const directory = await fixture.test.newDirectory();
    const body = user('ann', { [ENTERPRISE]: { department: 'R&D' }, title: 'Dr' });
    await directory.send('POST', '/Users', body);
    await fixture.test.sync.directories.update(directory.id, {
      attribute_mapping: { unit: `${ENTERPRISE}:department`, rank: 'title', none: 'nickName' },
    });
    const users = fixture.test.sync.users.setTenantAndProduct(directory.tenant, directory.product);
    const { data } = await users.getAll({ directoryId: directory.id });
    expect(data?.[0]?.custom_attributes).toEqual({ unit: 'R&D', rank: 'Dr' });
  });
});

describe('secrets', () => {
  it('are not stored in plain text', async () => {
    const directory = await fixture.test.newDirectory({
      webhook_url: 'https://example.com',
      webhook_secret: 'a-webhook-secret-in-clear',
    });
    const [row] = await fixture.database.query<{ text: string }>(
      'SELECT d::text AS text FROM dsync.directories d WHERE id = $1',
      [directory.id],
    );
    expect(row?.text).not.toContain('a-webhook-secret-in-clear');
    expect(row?.text).not.toContain(directory.scim.secret);
  });

  it('rotate with an overlap in which both are valid, or immediately', async () => {
    const directory = await fixture.test.newDirectory();
    const works = async (apiSecret: string) =>
      (await directory.send('GET', '/Users', undefined, { apiSecret })).status === 200;
    const first = directory.scim.secret;
    const second = (await fixture.test.sync.directories.rotateSecret(directory.id, '1h')).data?.scim
      .secret;
    expect([await works(first), await works(second ?? '')]).toEqual([true, true]);

    await fixture.database.query(
      `UPDATE dsync.directories
        SET scim_secret_previous_until = now() - interval '1 second', revision = revision + 1
        WHERE id = $1`,
      [directory.id],
    );
    expect([await works(first), await works(second ?? '')]).toEqual([false, true]);

    const third = (await fixture.test.sync.directories.rotateSecret(directory.id)).data?.scim
      .secret;
    expect([await works(second ?? ''), await works(third ?? '')]).toEqual([false, true]);
    const bad = await fixture.test.sync.directories.rotateSecret(directory.id, 'a while');
    expect(bad.error?.code).toBe(400);
  });

  it('stay valid for the overlap when two rotations run at once', async () => {
    const { directories } = fixture.test.sync;
    for (let round = 0; round < 10; round++) {
      const directory = await fixture.test.newDirectory();
      const rotated = await Promise.all(
        [1, 2].map(() => directories.rotateSecret(directory.id, '1h')),
      );
      const statuses = rotated.map(({ data }) =>
        directory.send('GET', '/Users', undefined, { apiSecret: data?.scim.secret ?? '' }),
      );
      expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([200, 200]);
    }
  });

  it('can be opened with any key of the ring', async () => {
    const { scim, id } = await fixture.test.newDirectory();
    const rotated = createDirectorySync({
      dataSource: fixture.test.dataSource,
      externalUrl: EXTERNAL_URL,
      encryptionKeys: ['a new key, which seals from now on, first', ...ENCRYPTION_KEYS],
    });
    expect((await rotated.directories.get(id)).data?.scim.secret).toBe(scim.secret);
  });
});

describe('users and groups of a tenant and product', () => {
  it('have the present groups of users and the first 200 members of groups in raw', async () => {
    const directory = await fixture.test.newDirectory();
    const ids: string[] = [];
    for (const name of ['a', 'b']) {
      const body = user(name, { groups: [{ value: 'of-the-provider' }], roles: 'viewer,editor' });
      ids.push((await directory.send('POST', '/Users', body)).data.id as string);
    }
    const created = await directory.send('POST', '/Groups', group('devs', ids.slice(0, 1)));
    const value = created.data.id as string;
    const $ref = `${directory.scim.endpoint}/Groups/${value}`;
    const scope = { directoryId: directory.id };
    const users = fixture.test.sync.users.inScope(scope);
    const expected = [[], [{ value, $ref, display: 'devs', type: 'direct' }]];
    expect((await users.getAll()).data?.map(({ raw }) => raw.groups)).toEqual(expected);
    const one = (await users.get(ids[0] ?? '')).data;
    expect([one?.raw.groups, one?.raw.id, one?.roles]).toEqual([
      expected[1],
      ids[0],
      ['viewer', 'editor'],
    ]);

    const groups = fixture.test.sync.groups.inScope(scope);
    expect((await groups.getAll()).data?.[0]?.raw).toMatchObject({
      members: [{ value: ids[0], display: 'a' }],
      members_total: 1,
    });
    await fixture.database.query(
      `WITH made AS (
          INSERT INTO dsync.users
            (directory_id, id, user_name, user_name_lower, emails_lower, active, raw)
          SELECT $1, dsync.uuid_v7(), 'u-' || n, 'u-' || n, '{}', true, '{}'
          FROM generate_series(1, 250) n RETURNING id),
        joined AS (
          INSERT INTO dsync.group_members (directory_id, group_id, user_id)
          SELECT $1, $2, id FROM made)
        UPDATE dsync.groups SET member_count = member_count + 250 WHERE id = $2`,
      [directory.id, value],
    );
    const { raw } = (await groups.getAll()).data?.[0] ?? {};
    expect([(raw?.members as unknown[]).length, raw?.members_total]).toEqual([200, 251]);
  });

  it('are listed with the offset of the next page, and a page of large ones ends early', async () => {
    const small = await openSync(fixture.database.url, { limits: { pageBytesMax: 25_000 } });
    const directory = await small.newDirectory();
    for (const name of ['a', 'b', 'c']) {
      await directory.send('POST', '/Users', user(name, { title: name.repeat(10_000) }));
    }
    const users = small.sync.users.inScope({ directoryId: directory.id });
    const page = async (options: object) => {
      const { data } = await users.getPage(options);
      return [data?.items.map(({ raw }) => raw.userName), data?.nextOffset];
    };
    expect(await page({})).toEqual([['c', 'b'], 2]);
    expect(await page({ pageOffset: 2 })).toEqual([['a'], null]);
    expect(await page({ pageLimit: 1 })).toEqual([['c'], 1]);
    expect(await page({ pageOffset: 3 })).toEqual([[], null]);
    await small.close();
  });

  it('are listed by page, with members, and only in their own scope', async () => {
    const directory = await fixture.test.newDirectory({ tenant: 'reads', product: 'app' });
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      ids.push((await directory.send('POST', '/Users', user(name))).data.id as string);
    }
    const groupId = (await directory.send('POST', '/Groups', group('devs', ids))).data.id as string;
    const groups = fixture.test.sync.groups.setTenantAndProduct('reads', 'app');
    expect((await groups.getAll()).data).toMatchObject([{ id: groupId, name: 'devs' }]);
    const { data } = await groups.get(groupId);
    expect(data?.members).toEqual(ids.map((user_id) => ({ group_id: groupId, user_id })));
    expect(data?.raw.members).toMatchObject(ids.map((value) => ({ value })));
    const page = await groups.getGroupMembers({ groupId, pageOffset: 1, pageLimit: 1 });
    expect(page.data).toEqual([{ user_id: ids[1] }]);

    const users = fixture.test.sync.users.setTenantAndProduct('reads', 'app');
    expect((await users.getAll({ pageLimit: 2 })).data?.map(({ id }) => id)).toEqual([
      ids[2],
      ids[1],
    ]);
    const elsewhere = fixture.test.sync.users.setTenantAndProduct('reads', 'other');
    expect(await elsewhere.get(ids[0] ?? '')).toEqual({
      data: null,
      error: { message: 'User not found', code: 404 },
    });
    expect((await groups.get('x')).error).toEqual({
      message: 'Group with id x not found.',
      code: 404,
    });
    expect(
      (await fixture.test.sync.users.setTenantAndProduct('', 'app').getAll()).error?.code,
    ).toBe(400);
  });
});
