import { type EndpointFilter } from '../../src/index.js';
import { useFixture } from '../fixture.js';

// The endpoints of all directories in one list.

const fixture = useFixture();
const URL = 'https://app.example.com';

async function directoryWith(tenant: string, endpoints: readonly string[], webhook = '') {
  const { webhookEndpoints } = fixture.test.sync;
  const product = 'of-endpoints';
  const directory = await fixture.test.newDirectory({ tenant, product, webhook_url: webhook });
  for (const path of endpoints) {
    const headers = { 'X-Team': 'a-secret-value' };
    await webhookEndpoints.create(directory.id, { url: `${URL}/${path}`, headers });
  }
  return directory;
}

const setState = (url: string, state: string) =>
  fixture.database.query(
    `UPDATE dsync.endpoints SET state = $2, reason = 'down', failing_since = '2026-01-15T09:30:00Z'
      WHERE url = $1`,
    [url, state],
  );

async function pathsOf(filter: EndpointFilter & { pageOffset?: number; pageLimit?: number }) {
  const { data, error } = await fixture.test.sync.webhookEndpoints.getPage(filter);
  if (error) throw new Error(error.message);
  return [data.items.map(({ url }) => url.slice(URL.length + 1)), data.nextOffset];
}

it('has each endpoint with its directory, state and time, but no secret', async () => {
  const directory = await directoryWith('of-one', ['further'], `${URL}/webhook`);
  await setState(`${URL}/further`, 'failing');
  const { data } = await fixture.test.sync.webhookEndpoints.getAll({ tenant: 'of-one' });
  const { data: own } = await fixture.test.sync.webhookEndpoints.list(directory.id);
  const { id, name, tenant, product } = directory;
  const of = { directory_id: id, directory_name: name, tenant, product, enabled: true };
  expect(data).toEqual(own?.map((each) => ({ ...of, ...each })));
  expect(data?.[1]).toMatchObject({
    header_names: ['x-team'],
    state: 'failing',
    reason: 'down',
    failing_since: '2026-01-15T09:30:00.000Z',
  });
  expect(JSON.stringify(data)).not.toMatch(/secret/);
});

it('is filtered by tenant, product and state, the newest directory first, in pages', async () => {
  await directoryWith('of-old', ['old-1', 'old-2'], `${URL}/old-0`);
  await directoryWith('of-new', ['new-1', 'new-2']);
  for (const path of ['old-0', 'old-2', 'new-1']) await setState(`${URL}/${path}`, 'stopped');
  expect(await pathsOf({ tenant: 'of-old' })).toEqual([['old-0', 'old-1', 'old-2'], null]);
  expect(await pathsOf({ tenant: 'of-new' })).toEqual([['new-1', 'new-2'], null]);
  const all = { product: 'of-endpoints', state: 'stopped' } as const;
  expect(await pathsOf(all)).toEqual([['new-1', 'old-0', 'old-2'], null]);
  expect(await pathsOf({ state: 'stopped', pageLimit: 2 })).toEqual([['new-1', 'old-0'], 2]);
  expect(await pathsOf({ ...all, pageOffset: 2, pageLimit: 2 })).toEqual([['old-2'], null]);
  expect(await pathsOf({ tenant: 'of-old', product: 'other' })).toEqual([[], null]);
  expect(await pathsOf({ tenant: 'of-old', state: 'paused' })).toEqual([[], null]);
});

it('shows that a directory is deactivated, and nothing of a deleted one', async () => {
  const { id, tenant } = await directoryWith('of-ended', ['ended']);
  const { directories, webhookEndpoints } = fixture.test.sync;
  await directories.update(id, { deactivated: true });
  expect((await webhookEndpoints.getAll({ tenant })).data).toMatchObject([{ enabled: false }]);
  await fixture.database.query('UPDATE dsync.directories SET deleted_at = now() WHERE id = $1', [
    id,
  ]);
  expect((await webhookEndpoints.getAll({ tenant })).data).toEqual([]);
});

it.each<[object, string]>([
  [{ state: 'none' }, 'state: must be one of healthy, failing, paused, stopped'],
  [{ tenant: 'a:b' }, 'tenant cannot contain'],
  [{ pageLimit: 'x' }, 'pageLimit: must be a whole number'],
])('400: %j', async (filter, message) => {
  const { error } = await fixture.test.sync.webhookEndpoints.getPage(filter);
  expect([error?.code, error?.message]).toEqual([400, expect.stringContaining(message)]);
});
