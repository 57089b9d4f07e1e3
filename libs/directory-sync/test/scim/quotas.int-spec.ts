import { Sql } from '@gatehouse/kit/sql';
import { createPool } from '@gatehouse/nest-kit/database';
import { createLogger } from '@gatehouse/nest-kit/logging';
import { eventually, type TestDatabase } from '@gatehouse/testing';
import { Quotas } from '../../src/quotas/quotas.js';
import { NO_USAGE } from '../../src/quotas/usage.js';
import {
  createSyncDatabase,
  group,
  type Json,
  openSync,
  patch,
  type TestDirectory,
  type TestSync,
  user,
} from '../harness.js';

const QUOTA = { users: 20, groups: 3, bytes: 50_000 };

let database: TestDatabase;
/** Two replicas. */
let tests: TestSync[];
let directory: TestDirectory;

beforeAll(async () => {
  database = await createSyncDatabase();
});
beforeEach(async () => {
  tests = [
    await openSync(database.url, { quota: QUOTA }),
    await openSync(database.url, { quota: QUOTA }),
  ];
  directory = await at(0).newDirectory();
});
afterEach(() => Promise.all(tests.map((test) => test.close())));
afterAll(() => database.drop());

const at = (index: number): TestSync => tests[index % 2] as TestSync;

/** A request through one of the two replicas. */
function through(
  replica: number,
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; data: Json }> {
  const [, resourceType = '', resourceId] = path.split('/');
  return at(replica).sync.requests.handle({
    method,
    body,
    directoryId: directory.id,
    apiSecret: directory.scim.secret,
    resourceType: resourceType.toLowerCase() as 'users',
    resourceId,
  });
}

async function reserved(): Promise<Json> {
  const [row] = await database.query(
    `SELECT reserved_users::integer AS users, reserved_groups::integer AS groups,
        reserved_bytes::integer AS bytes FROM dsync.directories WHERE id = $1`,
    [directory.id],
  );
  return row;
}

async function stored(): Promise<Json> {
  const [row] = await database.query(
    `SELECT (SELECT count(*)::integer FROM dsync.users WHERE directory_id = $1) AS users,
        (SELECT count(*)::integer FROM dsync.groups WHERE directory_id = $1) AS groups,
        (SELECT coalesce(sum(raw_bytes), 0)::integer FROM (
          SELECT raw_bytes FROM dsync.users WHERE directory_id = $1
          UNION ALL SELECT raw_bytes FROM dsync.groups WHERE directory_id = $1) r) AS bytes`,
    [directory.id],
  );
  return row;
}

it('413: two replicas create exactly as many users as allowed, whatever arrives at once', async () => {
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) => through(n, 'POST', '/Users', user(`user-${n}`))),
  );
  const created = answers.filter(({ status }) => status === 201);
  const refused = answers.filter(({ status }) => status === 413);
  expect([created.length, refused.length]).toEqual([20, 20]);
  expect(refused[0]?.data.detail).toBe(
    'The directory may have at most 20 users. Delete some first.',
  );
  const id: string = created[0]?.data.id;
  const userName: string = created[0]?.data.userName;
  expect(
    (
      await through(
        0,
        'PATCH',
        `/Users/${id}`,
        patch({ op: 'replace', path: 'active', value: false }),
      )
    ).status,
  ).toBe(200);
  expect((await through(0, 'DELETE', `/Users/${id}`)).status).toBe(204);
  expect((await through(0, 'POST', '/Users', user(userName))).status).toBe(201);
  expect((await through(0, 'POST', '/Users', user('another'))).status).toBe(413);
});

it('413: groups have their own quota', async () => {
  for (const name of ['a', 'b', 'c']) {
    expect((await through(0, 'POST', '/Groups', group(name))).status).toBe(201);
  }
  const { status, data } = await through(1, 'POST', '/Groups', group('d'));
  expect([status, data.detail]).toEqual([413, expect.stringContaining('at most 3 groups')]);
  expect((await through(1, 'POST', '/Users', user('ann'))).status).toBe(201);
});

it('413: bytes are limited, but users of a full directory can be suspended', async () => {
  const { data } = await through(0, 'POST', '/Users', user('ann', { note: 'x'.repeat(30_000) }));
  await through(1, 'POST', '/Users', user('bob', { note: 'x'.repeat(22_000) }));
  const refused = await through(1, 'POST', '/Users', user('cyd'));
  expect([refused.status, refused.data.detail]).toEqual([
    413,
    expect.stringContaining('50000 bytes'),
  ]);
  const change = (path: string, value: unknown) =>
    through(0, 'PATCH', `/Users/${data.id}`, patch({ op: 'replace', path, value }));
  expect((await change('active', false)).status).toBe(200);
  expect((await change('note', 'y'.repeat(60_000))).status).toBe(200);
  expect((await change('note', 'z'.repeat(60_000))).status).toBe(413);
  expect((await through(0, 'DELETE', `/Users/${data.id}`)).status).toBe(204);
  expect((await through(0, 'POST', '/Users', user('cyd'))).status).toBe(201);
});

it('what is reserved equals what is stored once all replicas have stopped', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 8; n++) {
    const { data } = await through(
      n,
      'POST',
      '/Users',
      user(`user-${n}`, { title: 't'.repeat(n) }),
    );
    ids.push(data.id as string);
    expect((await through(n, 'POST', '/Users', user(`user-${n}`))).status).toBe(409);
  }
  const devs = await through(0, 'POST', '/Groups', group('devs', ids.slice(0, 3)));
  const path = `/Groups/${devs.data.id}`;
  await through(
    1,
    'PATCH',
    path,
    patch({ op: 'replace', path: 'displayName', value: 'developers' }),
  );
  await through(0, 'PATCH', path, patch({ op: 'remove', path: 'members[display eq "user-0"]' }));
  await through(
    1,
    'PATCH',
    `/Users/${ids[1]}`,
    patch({ op: 'add', path: 'nickName', value: 'nick' }),
  );
  await through(0, 'PUT', `/Users/${ids[2]}`, user('user-2', { title: 'shorter' }));
  await through(1, 'DELETE', `/Users/${ids[3]}`);
  const gone = await through(0, 'POST', '/Groups', group('gone'));
  await through(1, 'DELETE', `/Groups/${gone.data.id}`);
  await Promise.all(tests.map(({ sync }) => sync.close()));
  expect(await reserved()).toEqual(await stored());
});

it('what a killed process has reserved is found when the quota is used up', async () => {
  await database.query(
    `UPDATE dsync.directories SET reserved_users = 20, usage_counted_at = now() - interval '2 hours'
      WHERE id = $1`,
    [directory.id],
  );
  expect((await through(0, 'POST', '/Users', user('ann'))).status).toBe(201);
  await database.query('UPDATE dsync.directories SET reserved_users = 20 WHERE id = $1', [
    directory.id,
  ]);
  expect((await through(1, 'POST', '/Users', user('bob'))).status).toBe(413);
});

it('few writes of a large quota reserve from the database', async () => {
  const roomy = await openSync(database.url);
  const own = await roomy.newDirectory();
  let reservations = 0;
  const pool = (
    roomy.dataSource.driver as unknown as { master: { query: (...values: unknown[]) => unknown } }
  ).master;
  const query = pool.query.bind(pool);
  pool.query = (...values) => {
    if ((values[0] as { name?: string }).name === 'dsync_reserve') reservations++;
    return query(...values);
  };
  for (let n = 0; n < 100; n++) {
    expect((await own.send('POST', '/Users', user(`user-${n}`))).status).toBe(201);
  }
  expect(reservations).toBeLessThanOrEqual(3);
  await roomy.close();
});

it('reserves one block for many users that arrive at once', async () => {
  const test = await openSync(database.url);
  try {
    const { id: directoryId, scim } = await test.newDirectory();
    directory = { ...directory, id: directoryId, scim };
    const create = (n: number) =>
      test.sync.requests.handle({
        method: 'POST',
        body: user(`user-${n}`),
        directoryId,
        apiSecret: scim.secret,
        resourceType: 'users',
      });
    await Promise.all(Array.from({ length: 40 }, (_, n) => create(n)));
    expect((await reserved()).users).toBe(1_000);
  } finally {
    await test.close();
  }
});

it('writes that wait for a reservation fail with it, and later ones reserve again', async () => {
  const pool = createPool({ databaseUrl: database.url });
  const quotas = new Quotas(new Sql(pool), QUOTA, createLogger('test', 'silent'));
  const one = { ...NO_USAGE, users: 1 };
  const spend = () =>
    quotas.spend(
      directory.id,
      one,
      () => Promise.resolve('written'),
      () => one,
    );
  const holder = at(1).dataSource.createQueryRunner();
  try {
    await holder.startTransaction();
    await holder.query('SELECT FROM dsync.directories WHERE id = $1 FOR NO KEY UPDATE', [
      directory.id,
    ]);
    const waiting = Promise.allSettled([spend(), spend(), spend()]);
    await eventually(async () => {
      const ended = await database.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'
            AND query LIKE '%reserved_users = %'`,
      );
      expect(ended).toHaveLength(1);
    });
    expect((await waiting).map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
      'rejected',
    ]);
    await holder.commitTransaction();
    expect(await spend()).toBe('written');
  } finally {
    await holder.release();
    await quotas.close();
    await pool.end();
  }
});
