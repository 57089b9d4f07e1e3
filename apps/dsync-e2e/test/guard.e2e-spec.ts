// Work that the worker carries out: decisions on a guarded directory, and role mapping changes.
import { eventually, type TestStack } from '@gatehouse/testing';
import { manage, newDirectory, openSyncStack, type Service, user } from './sync-stack.js';

let stack: TestStack;
let api: Service;

beforeAll(async () => {
  stack = await openSyncStack({ settings: { DSYNC_SWEEP_INTERVAL: '1' } });
  api = await stack.start('dsync-api');
});
afterAll(() => stack.close());

it('holds a mass removal until it is approved; the worker carries it out', async () => {
  const directory = await newDirectory(api);
  const guard = `/${directory.id}/guard`;
  expect((await manage(api, 'PATCH', guard, { max_deletes: 1 })).status).toBe(200);
  const { body: settings } = await manage(api, 'GET', guard);
  expect(settings.data).toMatchObject({ max_deletes: 1, window_seconds: 86_400 });
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) {
    ids.push((await directory.scim('POST', '/Users', user(`user-${n}`))).body.id as string);
  }
  const statuses: number[] = [];
  for (const id of ids) statuses.push((await directory.scim('DELETE', `/Users/${id}`)).status);
  expect(statuses).toEqual([204, 403, 403, 403, 403]);
  const runs = `/${directory.id}/runs`;
  const { body: listed } = await manage(api, 'GET', runs);
  expect(listed.data).toMatchObject([{ trigger: 'scim', state: 'held' }]);
  const run = `${runs}/${listed.data[0].id}`;
  expect((await manage(api, 'GET', run)).body.data.plan.counts.users_deleted).toBe(4);
  const worker = await stack.start('dsync-worker');
  expect((await manage(api, 'POST', `${run}/approve`)).status).toBe(200);
  await eventually(async () => {
    const { body } = await manage(api, 'GET', run);
    expect(body.data).toMatchObject({ state: 'succeeded', counts: { users_deleted: 4 } });
  });
  expect((await directory.scim('GET', '/Users?count=0')).body.totalResults).toBe(0);
  const { body: events } = await manage(api, 'GET', `/events?directoryId=${directory.id}`);
  const types = events.data.map(({ event }: { event: string }) => event);
  expect(types).toEqual([
    ...Array<string>(5).fill('user.created'),
    ...Array<string>(5).fill('user.deleted'),
  ]);
  await worker.stop();
});

it('gives users the roles of a mapping through the worker, if the API could not', async () => {
  const directory = await newDirectory(api);
  await directory.scim('POST', '/Users', user('ada'));
  const mapping = `/${directory.id}/role-mappings`;
  const body = { default_role: 'member', rules: [] };
  expect((await manage(api, 'PUT', mapping, body)).status).toBe(200);
  // As an API leaves it that ends before it has given any roles.
  await stack.database.query(
    `WITH left_behind AS (UPDATE dsync.role_mappings SET state = 'applying' WHERE id = $1)
      DELETE FROM dsync.user_roles WHERE directory_id = $1`,
    [directory.id],
  );
  const worker = await stack.start('dsync-worker');
  await eventually(async () => {
    const path = `/users?directoryId=${directory.id}&role=member`;
    const { body: users } = await manage(api, 'GET', path);
    expect(users.data).toMatchObject([{ roles: ['member'], raw: { userName: 'ada' } }]);
  });
  const { body: stored } = await manage(api, 'GET', mapping);
  expect(stored.data.progress.state).toBe('applied');
  await worker.stop();
});
