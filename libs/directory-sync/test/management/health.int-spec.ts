import { sqlOf } from '@gatehouse/nest-kit/database';
import { eventually } from '@gatehouse/testing';
import { DirectoryRepository } from '../../src/directories/directory.repository.js';
import { type DirectoryHealth } from '../../src/index.js';
import { user } from '../harness.js';
import { useFixture } from '../fixture.js';

// The health of directories: one derivation, which lists show and filter by, and the status shows too.

const fixture = useFixture();

type Change = (id: string) => Promise<unknown>;

const ENDPOINT = 'UPDATE dsync.endpoints SET state = $2, reason = $3, failing_since = $4';
const SINCE = '2026-01-15T09:30:00.000Z';
const RUN = `INSERT INTO dsync.workspace_runs
    (id, directory_id, trigger, state, phase, position, counts, error, started_at, finished_at)
  VALUES ($6, $1, $2, $3, 'finish', '', '{}', $4, $5::timestamptz, $5)`;
const PARKED = `INSERT INTO dsync.parked_events
    (source_id, endpoint_id, sequence, event_id, reason, attempts, parked_at)
  SELECT $1, $1, n, dsync.uuid_v7(), 'the endpoint answered 42' || n, 5, $2
  FROM generate_series(2, 3) n`;
const UNAUTHORIZED = `INSERT INTO dsync.scim_clients (directory_id, unauthorized_at)
  VALUES ($1, $2::timestamptz)`;

const query = (text: string, values: unknown[]) => fixture.database.query(text, values);
/** Ids in the order of the runs, which ids of one millisecond may not have. */
let runs = 0;
const nextRunId = () => `01890000-0000-7000-8000-${String((runs += 1)).padStart(12, '0')}`;
const run =
  (trigger: string, state: string, error: string | null): Change =>
  (id) =>
    query(RUN, [id, trigger, state, error, SINCE, nextRunId()]);
const endpoint =
  (state: string, reason: string): Change =>
  (id) =>
    query(`${ENDPOINT} WHERE id = $1`, [id, state, reason, SINCE]);
const authorized: Change = (id) =>
  query(
    `UPDATE dsync.workspace_connections SET state = 'authorized', reason = NULL
      WHERE directory_id = $1`,
    [id],
  );

const scim = { type: 'okta-scim-v2', webhook_url: 'https://app.example.com/hooks' };
const workspace = { type: 'workspace', webhook_url: scim.webhook_url };

async function healthOf(filter: object): Promise<DirectoryHealth[]> {
  const { data } = await fixture.test.sync.directories.getAll(filter);
  return (data ?? []).map(({ health }) => health);
}

async function directoryWith(input: object, ...changes: Change[]) {
  const directory = await fixture.test.newDirectory(input);
  for (const change of changes) await change(directory.id);
  return directory;
}

describe.each<[string, object, Change[], string | null]>([
  ['needs_authorization', workspace, [], 'The directory is not connected yet: an administrator'],
  ['failed', workspace, [authorized, run('schedule', 'failed', 'no access')], 'no access'],
  ['held', workspace, [authorized, run('schedule', 'held', 'too many')], 'too many'],
  ['held', scim, [run('scim', 'held', 'too many')], 'too many'],
  ['unauthorized', scim, [(id) => query(UNAUTHORIZED, [id, SINCE])], null],
  [
    'stopped',
    scim,
    [endpoint('stopped', 'the endpoint answered 410')],
    'the endpoint answered 410',
  ],
  ['paused', scim, [endpoint('paused', 'paused by an administrator')], 'paused by an'],
  [
    'failing',
    scim,
    [endpoint('failing', 'the endpoint answered 503')],
    'the endpoint answered 503',
  ],
  ['dead', scim, [(id) => query(PARKED, [id, SINCE])], 'the endpoint answered 422'],
])('%s of %j', (state, input, changes, reason) => {
  it('is an error in lists and in the status, and filters find it', async () => {
    const directory = await directoryWith(input, ...changes);
    const { tenant } = directory;
    const { directories } = fixture.test.sync;
    const [health] = await healthOf({ tenant });
    expect(health).toEqual({
      state,
      has_errors: true,
      errors: [
        {
          state,
          reason: reason === null ? null : expect.stringContaining(reason),
          since: state === 'needs_authorization' ? expect.any(String) : SINCE,
        },
      ],
    });
    expect((await directories.status(directory.id)).data?.health).toEqual(health);
    expect(await healthOf({ tenant, state })).toEqual([health]);
    expect(await healthOf({ tenant, has_errors: true })).toEqual([health]);
    expect(await healthOf({ tenant, state, has_errors: true })).toEqual([health]);
    const others = ['healthy', 'deactivated', state === 'dead' ? 'paused' : 'dead'];
    for (const other of others) expect(await healthOf({ tenant, state: other })).toEqual([]);
    expect(await healthOf({ tenant, has_errors: false })).toEqual([]);
    expect(await healthOf({ tenant, state, has_errors: false })).toEqual([]);
  });

  it('a deactivated directory has no errors', async () => {
    const { id, tenant } = await directoryWith(input, ...changes);
    await fixture.test.sync.directories.update(id, { deactivated: true });
    const health = { state: 'deactivated', has_errors: false, errors: [] };
    expect(await healthOf({ tenant })).toEqual([health]);
    expect((await fixture.test.sync.directories.status(id)).data?.health).toEqual(health);
    for (const filter of [{ has_errors: false }, { state: 'deactivated' }]) {
      expect(await healthOf({ tenant, ...filter })).toEqual([health]);
    }
    for (const filter of [{ has_errors: true }, { state }, { state: 'healthy' }]) {
      expect(await healthOf({ tenant, ...filter })).toEqual([]);
    }
  });
});

const HEALTHY = { state: 'healthy', has_errors: false, errors: [] };

it.each<[string, object, Change[]]>([
  ['a new directory without a webhook', { type: 'okta-scim-v2' }, []],
  ['runs that succeed, or are under way', workspace, [authorized, run('schedule', 'queued', null)]],
  [
    'a success after a failure',
    workspace,
    [authorized, run('schedule', 'failed', 'no'), run('schedule', 'succeeded', null)],
  ],
  ['a discarded run', workspace, [authorized, run('schedule', 'discarded', null)]],
  [
    'the failure of a webhook that was removed',
    scim,
    [
      endpoint('failing', 'the endpoint answered 503'),
      (id) => fixture.test.sync.directories.update(id, { webhook_url: '' }),
    ],
  ],
])('%s is no error', async (_title, input, changes) => {
  const { tenant } = await directoryWith(input, ...changes);
  for (const filter of [{}, { state: 'healthy' }, { has_errors: false }]) {
    expect(await healthOf({ tenant, ...filter })).toEqual([HEALTHY]);
  }
  expect(await healthOf({ tenant, has_errors: true })).toEqual([]);
});

it('a SCIM request that is refused is an error until one succeeds', async () => {
  const directory = await fixture.test.newDirectory();
  const { id, tenant } = directory;
  await directory.send('POST', '/Users', { schemas: [] });
  const { directories } = fixture.test.sync;
  const lastResult = async () => (await directories.status(id)).data?.last_sync?.result;
  while ((await lastResult()) === undefined);
  const [health] = await healthOf({ tenant, state: 'failed' });
  expect(health?.errors).toMatchObject([{ state: 'failed', reason: expect.any(String) }]);
  expect(await lastResult()).toBe('failed');
  await directory.send('POST', '/Users', user('ada'));
  while ((await lastResult()) !== 'succeeded');
  expect(await healthOf({ tenant })).toEqual([HEALTHY]);
});

it('the last SCIM request decides, however fast outcomes change', async () => {
  const directory = await fixture.test.newDirectory();
  const { id, tenant } = directory;
  const send = async (status: number, body: object) => {
    expect((await directory.send('POST', '/Users', body)).status).toBe(status);
    const result = status < 400 ? 'succeeded' : 'failed';
    await eventually(async () => {
      const { data } = await fixture.test.sync.directories.status(id);
      expect(data?.last_sync?.result).toBe(result);
    });
    expect(await healthOf({ tenant, state: 'failed' })).toHaveLength(status < 400 ? 0 : 1);
  };
  await send(400, { schemas: [] });
  await send(201, user('bob'));
  await send(409, user('bob'));
  await send(409, user('bob'));
  await send(201, user('cid'));
  await send(409, user('cid'));
});

it('a request is compared with those that other processes have recorded', async () => {
  const directory = await fixture.test.newDirectory();
  const { id, tenant } = directory;
  const { dataSource } = fixture.test;
  const directories = new DirectoryRepository(dataSource, sqlOf(dataSource));
  const secret = { tokenId: null, sha256: Buffer.alloc(32) };
  const rowVersion = () => query('SELECT xmin FROM dsync.directories WHERE id = $1', [id]);
  for (const refusal of [null, 'taken', null, 'taken', 'taken', null]) {
    await directories.touch(id, refusal, secret);
    expect(await healthOf({ tenant, state: 'failed' })).toHaveLength(refusal ? 1 : 0);
    const version = await rowVersion();
    await directories.touch(id, refusal, secret);
    expect(await rowVersion()).toEqual(version);
  }
});

it('a request with a valid secret ends unauthorized at once', async () => {
  const { id, tenant } = await directoryWith(
    scim,
    (directory) =>
      query('UPDATE dsync.directories SET last_request_at = $2 WHERE id = $1', [
        directory,
        '2026-01-15T09:29:00Z',
      ]),
    (directory) => query(UNAUTHORIZED, [directory, SINCE]),
  );
  expect(await healthOf({ tenant, state: 'unauthorized' })).toHaveLength(1);
  await query('UPDATE dsync.scim_clients SET last_at = $2 WHERE directory_id = $1', [
    id,
    '2026-01-15T09:30:01Z',
  ]);
  expect(await healthOf({ tenant })).toEqual([HEALTHY]);
});

it('several errors are listed once by state, the gravest first, those of further endpoints too', async () => {
  const { id, tenant } = await directoryWith(
    scim,
    endpoint('failing', 'first'),
    (directory) => query(PARKED, [directory, SINCE]),
    (directory) => query(UNAUTHORIZED, [directory, SINCE]),
  );
  const { webhookEndpoints } = fixture.test.sync;
  for (const path of ['a', 'b']) {
    const { data } = await webhookEndpoints.create(id, { url: `https://app.example.com/${path}` });
    await query(`${ENDPOINT} WHERE id = $1`, [
      data?.id,
      path === 'a' ? 'failing' : 'stopped',
      path,
      null,
    ]);
  }
  const [health] = await healthOf({ tenant });
  expect(health?.state).toBe('unauthorized');
  expect(health?.errors.map(({ state, reason }) => [state, reason])).toEqual([
    ['unauthorized', null],
    ['stopped', 'b'],
    ['failing', 'first'],
    ['dead', 'the endpoint answered 422'],
  ]);
  for (const state of ['unauthorized', 'stopped', 'failing', 'dead']) {
    expect(await healthOf({ tenant, state })).toEqual([health]);
  }
});

it('filters of health work with tenant, product, provider and pages', async () => {
  const scope = { tenant: 'of-health', product: 'of-health' };
  const { directories } = fixture.test.sync;
  const failing: string[] = [];
  for (let n = 0; n < 6; n++) {
    const changes = n % 2 === 0 ? [endpoint('failing', 'down')] : [];
    const type = n < 4 ? 'okta-scim-v2' : 'onelogin-scim-v2';
    const { id } = await directoryWith({ ...scim, ...scope, type }, ...changes);
    if (n % 2 === 0) failing.unshift(id);
  }
  await directoryWith({ ...scim, ...scope, tenant: 'of-others' }, endpoint('failing', 'down'));
  const state = 'failing';
  const idsOf = async (page: ReturnType<typeof directories.getPage>) => {
    const { data, error } = await page;
    return error ?? [data.items.map(({ id }) => id), data.nextOffset];
  };
  const [newest, middle, oldest] = failing;
  expect(await idsOf(directories.getPage({ ...scope, state, pageLimit: 2 }))).toEqual([
    [newest, middle],
    2,
  ]);
  expect(
    await idsOf(directories.getPage({ ...scope, has_errors: true, pageOffset: 2, pageLimit: 2 })),
  ).toEqual([[oldest], null]);
  expect(await idsOf(directories.getPage({ product: scope.product, state }))).toMatchObject([
    [expect.any(String), ...failing],
    null,
  ]);
  const filter = { product: scope.product, provider: 'onelogin-scim-v2', state } as const;
  expect(await idsOf(directories.getFilteredPage(filter))).toEqual([[newest], null]);
  expect((await directories.getByTenantAndProduct('of-health', 'of-health')).data).toHaveLength(6);
  const { data } = await directories.getByTenantAndProduct('of-health', 'of-health');
  expect(data?.map(({ health }) => health.state)).toEqual([
    'healthy',
    'failing',
    'healthy',
    'failing',
    'healthy',
    'failing',
  ]);
});

it.each<[object, string]>([
  [{ state: 'broken' }, 'state: must be one of needs_authorization, failed, held, unauthorized,'],
  [{ state: '' }, 'state: must be one of'],
  [{ has_errors: 'yes' }, 'has_errors: must be true or false'],
  [{ tenant: 'a:b', has_errors: true }, 'tenant cannot contain'],
])('400: %j', async (filter, message) => {
  const { directories } = fixture.test.sync;
  const { error } = await directories.getPage(filter);
  expect([error?.code, error?.message]).toEqual([400, expect.stringContaining(message)]);
});

it('a deleted directory is in no list', async () => {
  const { id, tenant } = await directoryWith(scim, endpoint('failing', 'down'));
  await query('UPDATE dsync.directories SET deleted_at = now() WHERE id = $1', [id]);
  expect(await healthOf({ tenant, has_errors: true })).toEqual([]);
});

it('lists active directories that are quiet until their next request, and all others', async () => {
  const tenant = 'quiet-ones';
  const directories = new DirectoryRepository(
    fixture.test.dataSource,
    sqlOf(fixture.test.dataSource),
  );
  const directoryOf = () => fixture.test.newDirectory({ ...scim, tenant });
  const [quiet, busy, off, fresh] = [
    await directoryOf(),
    await directoryOf(),
    await directoryOf(),
    await directoryOf(),
  ];
  await query(
    `UPDATE dsync.directories SET last_request_at = now() - interval '8 days' WHERE id = ANY ($1)`,
    [[quiet.id, off.id]],
  );
  await query('UPDATE dsync.directories SET last_request_at = now() WHERE id = $1', [busy.id]);
  await directories.markQuiet(7 * 86_400);
  await fixture.test.sync.directories.update(off.id, { deactivated: true });
  const idsOf = async (filter: object) => {
    const { data } = await fixture.test.sync.directories.getAll({ tenant, ...filter });
    return data?.map(({ id }) => id);
  };
  expect(await idsOf({ quiet: true })).toEqual([quiet.id]);
  expect(await idsOf({ quiet: 'true', has_errors: false })).toEqual([quiet.id]);
  expect(await idsOf({ quiet: false })).toEqual([fresh.id, busy.id]);
  await directories.touch(quiet.id, null, { tokenId: null, sha256: Buffer.alloc(32) });
  expect(await idsOf({ quiet: true })).toEqual([]);
});
