import { eventually } from '@gatehouse/testing';
import { ENCRYPTION_KEYS, ENTERPRISE, EXTERNAL_URL, group, user } from '../harness.js';
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
      strict: false,
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
    [
      { ...scope, workspace_domain: 'example.com' },
      'workspace_domain: is only for directories of the',
    ],
    [{ ...scope, type: 'google', workspace_provider: 'okta' }, 'workspace_provider: must be one'],
    [{ ...scope, type: 'google', workspace_domain: 'a/b' }, 'workspace_domain: must be a domain'],
    [
      { ...scope, type: 'google', workspace_administrator: 'ada' },
      'workspace_administrator: must be an email address',
    ],
    [{ ...scope, name: 7 }, 'name: must be a string'],
    [{ ...scope, name: 'a\u0000b' }, 'name: must not contain control characters'],
    [{ ...scope, tenant: 'x'.repeat(513) }, 'tenant: must not exceed 512 characters'],
    [{ ...scope, webhook_url: 'ftp://example.com' }, 'webhook_url: must be an http or https URL'],
    [{ ...scope, webhook_url: 'https://u:p@example.com' }, 'webhook_url: must not contain a user'],
    [
      { ...scope, webhook_secret: 'wörd'.repeat(9) },
      'webhook_secret: must have 16 to 512 printable',
    ],
    [{ ...scope, webhook_secret: 'x'.repeat(15) }, 'webhook_secret: must have 16 to 512 printable'],
    [{ ...scope, webhook_secret: 'x'.repeat(513) }, 'webhook_secret: must '],
    [{ ...scope, webhook_secret: `whsec_${'*'.repeat(20)}` }, 'webhook_secret: must be Base64'],
    [{ ...scope, webhok_url: '' }, 'webhok_url: is not a known field; did you mean "webhook_url"?'],
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
    for (const id of [crypto.randomUUID(), 'unknown', '', undefined as never]) {
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
    const columns = { users: 'directory_id', groups: 'directory_id', events: 'source_id' };
    for (const [table, column] of Object.entries({ ...columns, endpoints: 'source_id' })) {
      const rows = await fixture.database.query(`SELECT FROM dsync.${table} WHERE ${column} = $1`, [
        directory.id,
      ]);
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

  it('change a webhook in the names of a view, which can be sent back', async () => {
    const { directories } = fixture.test.sync;
    const { id } = await fixture.test.newDirectory();
    const none = { endpoint: '', secret: '' };
    const set = { endpoint: 'https://example.com/hook', secret: 'a-secret-of-16-or-more' };
    for (const [webhook, shown] of [
      [none, none],
      [set, set],
      [set, set],
      [{ secret: 'another-secret-of-16' }, { ...set, secret: 'another-secret-of-16' }],
      [{ endpoint: '' }, { endpoint: '', secret: 'another-secret-of-16' }],
    ] as const) {
      const { data, error } = await directories.update(id, { webhook });
      expect([error, data?.webhook]).toEqual([null, shown]);
    }
    for (const [changes, message] of [
      [{ webhook: set, webhook_url: set.endpoint }, 'webhook_url: cannot be combined with webhook'],
      [{ webhook: { ...set, secret: '' } }, 'webhook.secret: must not be empty'],
      [
        { webhook: { endpoint: 'ftp://example.com' } },
        'webhook.endpoint: must be an http or https',
      ],
      [{ webhook: { url: set.endpoint } }, 'webhook.url: is not a known field'],
      [{ webhook: null as never }, 'webhook: must not be null'],
      [{ webhook: { endpoint: null as never } }, 'webhook.endpoint: must not be null'],
    ] as const) {
      const { error } = await directories.update(id, changes as object);
      expect([error?.code, error?.message]).toEqual([400, expect.stringContaining(message)]);
    }
  });

  it('400: a SCIM directory does not become a workspace directory', async () => {
    const directory = await fixture.test.newDirectory();
    for (const type of ['workspace', 'google']) {
      const changes = { type } as object;
      const { error } = await fixture.test.sync.directories.update(directory.id, changes);
      expect(error).toEqual({ code: 400, message: 'type: cannot be changed' });
    }
    const { error } = await fixture.test.sync.directories.update(directory.id, {
      workspace_domain: 'example.com',
    });
    expect(error?.code).toBe(400);
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

it('shows in the status when a provider last succeeded and failed, and why', async () => {
  const { directory, test } = fixture;
  const lastSync = async () => (await test.sync.directories.status(directory.id)).data?.last_sync;
  expect(await lastSync()).toBeNull();
  await directory.send('GET', '/Users/01983f6e-7c10-7000-8000-000000000000');
  await eventually(async () => {
    expect(await lastSync()).toMatchObject({ result: 'succeeded', error: null });
  });
  await directory.send('POST', '/Users', { userName: '' });
  await eventually(async () => {
    expect(await lastSync()).toMatchObject({
      result: 'failed',
      error: expect.stringContaining('userName'),
      last_success_at: expect.any(String),
      last_error_at: expect.any(String),
    });
  });
});
