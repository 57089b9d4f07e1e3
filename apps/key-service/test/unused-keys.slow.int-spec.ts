/** Unused keys are announced once, and the scan reads only those that may be. */
import { sqlOf } from '@gatehouse/nest-kit/database';
import { plainEventBody } from '@gatehouse/delivery';
import { loadConfig } from '@gatehouse/kit/settings';
import { checkEventsIn, CONTROL_PLANE, type TestDatabase } from '@gatehouse/testing';
import { type DataSource } from 'typeorm';
import { KeyServiceConfig } from '../src/config.js';
import { createDataSource } from '../src/data-source.js';
import { KeyEventLog } from '../src/events/key-event-log.js';
import { UnusedScan } from '../src/events/expiry/unused-scan.js';
import { ADD_CHECKS, LOCK_DUE } from '../src/events/expiry/unused.sql.js';
import { ENCRYPTION_KEY, HMAC_SECRET } from './key-stack.js';
import { loggedKeyEvents } from './logged-key-events.js';
import { createKeyDatabase } from './key-database.js';

const DAY_MS = 86_400_000;
const NOW = new Date('2026-06-01T12:00:00Z');
const daysAfter = (days: number) => new Date(NOW.getTime() + days * DAY_MS);

let database: TestDatabase;
let dataSource: DataSource;

const log = new KeyEventLog({ wake: () => undefined });
const newScan = (
  settings: Record<string, string> = { KEY_UNUSED_AFTER: '90d' },
  source = dataSource,
) => {
  const config = loadConfig(KeyServiceConfig, {
    ...CONTROL_PLANE,
    DATABASE_URL: database.url,
    REDIS_URL: 'redis://localhost',
    HMAC_SECRETS: HMAC_SECRET,
    ENCRYPTION_KEYS: ENCRYPTION_KEY,
    ...settings,
  });
  return new UnusedScan(sqlOf(source), log, config);
};

beforeAll(async () => {
  database = await createKeyDatabase();
  dataSource = await createDataSource(database.url).initialize();
});
beforeEach(async () => {
  await database.query(
    'TRUNCATE keys.api_keys, keys.unused_checks, keys.unused_scans, keys.events',
  );
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

const idOf = (n: number) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const addKeys = (ids: string[], created: Date, expires: Date | null = null) =>
  database.query(
    `INSERT INTO keys.api_keys (key_id, kind, name, actor_id, scopes, metadata, visibility,
       allowed_cidrs, secret_hash, key_preview, create_time, update_time, expire_time)
     SELECT id, 'issued', 'n', 'actor', '{}', '{"mail":"m"}', 1, '{}', sha256(id::bytea), '', $2,
       $2, $3
     FROM unnest($1::text[]) id`,
    [ids, created, expires],
  );
const use = (id: string, at: Date) =>
  database.query('UPDATE keys.api_keys SET last_used_time = $2 WHERE key_id = $1', [id, at]);
/** Scans every day from one day to another. */
const scanFrom = async (first: number, last: number, scan = newScan()) => {
  for (let day = first; day <= last; day++) await scan.run(undefined, daysAfter(day));
};
const announced = async () => {
  const events = await loggedKeyEvents(dataSource);
  checkEventsIn(events.map(plainEventBody));
  return events.map(({ data }) => {
    const { key_id: id, unused_since: since } = data as { key_id: string; unused_since: string };
    return [id, since];
  });
};

it('announces a key that was never used once, when its age is reached', async () => {
  await addKeys([idOf(1)], NOW);
  await scanFrom(0, 89);
  expect(await announced()).toEqual([]);
  await scanFrom(90, 400);
  expect(await announced()).toEqual([[idOf(1), NOW.toISOString()]]);
});

it('announces a key again when it has been used and is unused again', async () => {
  await addKeys([idOf(1)], NOW);
  await use(idOf(1), daysAfter(50));
  await scanFrom(60, 200);
  await use(idOf(1), daysAfter(200));
  await scanFrom(201, 289);
  expect(await announced()).toEqual([[idOf(1), daysAfter(50).toISOString()]]);
  await scanFrom(290, 500);
  expect(await announced()).toEqual([
    [idOf(1), daysAfter(50).toISOString()],
    [idOf(1), daysAfter(200).toISOString()],
  ]);
});

it('announces no key that is used, revoked, expired or deleted, and forgets them', async () => {
  await addKeys([idOf(1), idOf(2), idOf(3)], NOW);
  await addKeys([idOf(4)], NOW, daysAfter(95));
  for (const n of [1, 2, 3, 4]) await use(idOf(n), daysAfter(40));
  await scanFrom(90, 100);
  await use(idOf(1), daysAfter(120));
  await database.query('UPDATE keys.api_keys SET revoke_time = now() WHERE key_id = $1', [idOf(2)]);
  await database.query('DELETE FROM keys.api_keys WHERE key_id = $1', [idOf(3)]);
  await scanFrom(130, 200);
  expect(await announced()).toEqual([]);
  const rows = await database.query<{ key_id: string }>('SELECT key_id FROM keys.unused_checks');
  expect(rows).toEqual([{ key_id: idOf(1) }]);
});

it('begins with the keys that exist, and finds a key that was committed late', async () => {
  await addKeys([idOf(1)], daysAfter(-300));
  await newScan().run(undefined, NOW);
  await addKeys([idOf(2)], new Date(daysAfter(-90).getTime() - 60_000));
  await newScan().run(undefined, NOW);
  expect((await announced()).map(([id]) => id)).toEqual([idOf(1), idOf(2)]);
});

it('follows another KEY_UNUSED_AFTER, and does nothing without one', async () => {
  await addKeys([idOf(1)], NOW);
  await scanFrom(300, 301, newScan({}));
  await scanFrom(29, 29, newScan({ KEY_UNUSED_AFTER: '30d' }));
  expect(await announced()).toEqual([]);
  await scanFrom(30, 31, newScan({ KEY_UNUSED_AFTER: '30d' }));
  expect(await announced()).toEqual([[idOf(1), NOW.toISOString()]]);
  await scanFrom(90, 200);
  expect(await announced()).toHaveLength(1);
});

it('announces thousands of keys once each, while replicas scan at once', async () => {
  const ids = Array.from({ length: 2_300 }, (_, n) => idOf(n));
  await addKeys(ids, NOW);
  const others = await Promise.all([1, 2].map(() => createDataSource(database.url).initialize()));
  try {
    const scans = [dataSource, ...others].map((source) => newScan(undefined, source));
    await Promise.all(scans.map((scan) => scan.run(undefined, daysAfter(91))));
    await newScan().run(undefined, daysAfter(92));
  } finally {
    await Promise.all(others.map((each) => each.destroy()));
  }
  expect((await announced()).map(([id]) => id).sort()).toEqual(ids);
});

it('ends between two batches when the process stops', async () => {
  await addKeys([idOf(1)], NOW);
  const stopping = new AbortController();
  stopping.abort();
  await newScan().run(stopping.signal, daysAfter(91));
  expect(await announced()).toEqual([]);
});

it('reads only keys that reach the age, and checks that are due, by an index', async () => {
  await database.query(
    `INSERT INTO keys.api_keys (key_id, kind, name, actor_id, scopes, metadata, visibility,
       allowed_cidrs, secret_hash, key_preview, create_time, update_time)
     SELECT md5(n::text), 'issued', 'n', 'a', '{}', '{}', 1, '{}',
       decode(md5(n::text) || md5(n::text), 'hex'), '', $1::timestamptz + n * interval '1 minute',
       now()
     FROM generate_series(1, 50000) n`,
    [NOW],
  );
  await database.query(
    'INSERT INTO keys.unused_checks SELECT key_id, create_time FROM keys.api_keys',
  );
  await database.query('ANALYZE keys.api_keys, keys.unused_checks');
  const until = new Date(NOW.getTime() + 600_000);
  const planOf = async (text: string, values: unknown[]) => {
    const plan = await database.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN (ANALYZE, BUFFERS OFF) ${text}`,
      values,
    );
    return plan.map((row) => row['QUERY PLAN']).join('\n');
  };
  const added = await planOf(ADD_CHECKS.text, ['issued', NOW, '', until, NOW, 500]);
  const due = await planOf(LOCK_DUE.text, [until, 500]);
  expect(added).toContain('api_keys_newest');
  expect(due).toContain('unused_checks_due');
  for (const plan of [added, due]) {
    expect(plan).toMatch(/rows=10 /);
    expect(plan).not.toMatch(/Seq Scan|Rows Removed by Filter/);
  }
});

it('announces no key while it is paused, and counts from when it is resumed', async () => {
  await addKeys([idOf(1)], NOW);
  const set = (columns: string, at: Date) =>
    database.query(`UPDATE keys.api_keys SET ${columns} WHERE key_id = $1`, [idOf(1), at]);
  await set('pause_time = $2', daysAfter(10));
  await scanFrom(89, 300);
  await set('pause_time = NULL, resume_time = $2', daysAfter(300));
  await scanFrom(301, 389);
  expect(await announced()).toEqual([]);
  await scanFrom(390, 600);
  expect(await announced()).toEqual([[idOf(1), daysAfter(300).toISOString()]]);
});
