/** Keys that expire are announced once for each threshold, and the scan reads only those. */
import { sqlOf } from '@gatehouse/nest-kit/database';
import { plainEventBody } from '@gatehouse/delivery';
import { loadConfig } from '@gatehouse/kit/settings';
import { checkEventsIn, CONTROL_PLANE, type TestDatabase } from '@gatehouse/testing';
import { type DataSource } from 'typeorm';
import { KeyServiceConfig } from '../src/config.js';
import { createDataSource } from '../src/data-source.js';
import { KeyEventLog } from '../src/events/key-event-log.js';
import { ExpiryNotices } from '../src/events/expiry/expiry-notices.js';
import { ExpiryScan } from '../src/events/expiry/expiry-scan.js';
import { LIST_EXPIRING } from '../src/events/expiry/expiry.sql.js';
import { ENCRYPTION_KEY, HMAC_SECRET } from './key-stack.js';
import { loggedKeyEvents } from './logged-key-events.js';
import { createKeyDatabase } from './key-database.js';

const DAY_MS = 86_400_000;
const NOW = new Date('2026-06-01T12:00:00Z');
const daysAfter = (days: number) => new Date(NOW.getTime() + days * DAY_MS);

let database: TestDatabase;
let dataSource: DataSource;
let scan: ExpiryScan;

const log = new KeyEventLog({ wake: () => undefined });
const newScan = (source: DataSource) => {
  const config = loadConfig(KeyServiceConfig, {
    ...CONTROL_PLANE,
    DATABASE_URL: database.url,
    REDIS_URL: 'redis://localhost',
    HMAC_SECRETS: HMAC_SECRET,
    ENCRYPTION_KEYS: ENCRYPTION_KEY,
  });
  const sql = sqlOf(source);
  return new ExpiryScan(sql, new ExpiryNotices(sql, log), config);
};

beforeAll(async () => {
  database = await createKeyDatabase();
  dataSource = await createDataSource(database.url).initialize();
  scan = newScan(dataSource);
});
beforeEach(async () => {
  await database.query(
    'TRUNCATE keys.api_keys, keys.expiry_notices, keys.expiry_scans, keys.events',
  );
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

/** Adds keys that live 365 days unless they were created later. */
const addKeys = (ids: string[], expires: Date, lifeDays = 365, kind = 'issued') =>
  database.query(
    `INSERT INTO keys.api_keys (key_id, kind, name, actor_id, scopes, metadata, visibility,
       allowed_cidrs, secret_hash, hash_key_id, key_preview, create_time, update_time, expire_time)
     SELECT id, $4, 'n', 'actor', '{}', '{"mail":"m"}', 1, '{}', sha256(id::bytea),
       CASE WHEN $4 = 'imported' THEN 'h' END, '', $2::timestamptz - $3 * interval '1 day', now(), $2
     FROM unnest($1::text[]) id`,
    [ids, expires, lifeDays, kind],
  );
const idOf = (n: number) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const announced = async () => {
  const events = await loggedKeyEvents(dataSource);
  return events.map((event) => {
    checkEventsIn(plainEventBody(event));
    const { key_id: id, threshold = '' } = event.data as { key_id: string; threshold?: string };
    return [id, event.type, threshold];
  });
};

it('announces a key 30, 7 and 1 day before its expiry, and when it expires, once each', async () => {
  await scan.run(undefined, NOW);
  await addKeys([idOf(1)], daysAfter(40));
  for (let hours = 0; hours < 48 * 24; hours += 6) {
    await scan.run(undefined, daysAfter(hours / 24));
  }
  expect(await announced()).toEqual([
    [idOf(1), 'key.expiring', '2592000s'],
    [idOf(1), 'key.expiring', '604800s'],
    [idOf(1), 'key.expiring', '86400s'],
    [idOf(1), 'key.expired', ''],
  ]);
  expect(await database.query('SELECT * FROM keys.expiry_notices')).toEqual([]);
});

it('names whom to tell', async () => {
  await scan.run(undefined, NOW);
  await addKeys([idOf(1)], daysAfter(30.1), 365, 'imported');
  await scan.run(undefined, daysAfter(0.2));
  const [event] = await loggedKeyEvents(dataSource, 10);
  expect(event?.data).toMatchObject({
    actor_id: 'actor',
    metadata: { mail: 'm' },
    kind: 'imported',
  });
});

it('announces nothing for keys that are revoked, or that never live longer than the threshold', async () => {
  await scan.run(undefined, NOW);
  await addKeys([idOf(1)], daysAfter(20), 20);
  await addKeys([idOf(2)], daysAfter(30.5));
  await database.query(`UPDATE keys.api_keys SET revoke_time = now() WHERE key_id = $1`, [idOf(2)]);
  await scan.run(undefined, daysAfter(1));
  expect(await announced()).toEqual([]);
  await scan.run(undefined, daysAfter(14));
  expect(await announced()).toEqual([[idOf(1), 'key.expiring', '604800s']]);
});

it('begins with the nearest threshold of each key, and not with keys that have expired', async () => {
  await addKeys([idOf(1)], daysAfter(-3));
  await addKeys([idOf(2)], daysAfter(0.5));
  await addKeys([idOf(3)], daysAfter(5));
  await addKeys([idOf(4)], daysAfter(20));
  await addKeys([idOf(5)], daysAfter(300));
  await scan.run(undefined, NOW);
  expect((await announced()).sort()).toEqual([
    [idOf(2), 'key.expiring', '86400s'],
    [idOf(3), 'key.expiring', '604800s'],
    [idOf(4), 'key.expiring', '2592000s'],
  ]);
});

it('catches up after a pause, and finds a key that was committed late', async () => {
  await scan.run(undefined, NOW);
  await addKeys([idOf(1)], daysAfter(32));
  await scan.run(undefined, daysAfter(3));
  await addKeys([idOf(2)], new Date(daysAfter(33).getTime() - 60_000));
  await scan.run(undefined, new Date(daysAfter(3).getTime() + 60_000));
  await scan.run(undefined, daysAfter(33.5));
  const types = (await announced()).filter(([, type]) => type === 'key.expired');
  expect((await announced()).slice(0, 2)).toEqual([
    [idOf(1), 'key.expiring', '2592000s'],
    [idOf(2), 'key.expiring', '2592000s'],
  ]);
  expect(types.map(([id]) => id)).toEqual([idOf(1), idOf(2)]);
});

it('announces thousands of keys that expire together once each, while replicas scan at once', async () => {
  await scan.run(undefined, NOW);
  const ids = Array.from({ length: 2_300 }, (_, n) => idOf(n));
  await addKeys(ids, daysAfter(30.5));
  const others = await Promise.all([1, 2].map(() => createDataSource(database.url).initialize()));
  try {
    const scans = [scan, ...others.map(newScan)];
    await Promise.all(scans.map((each) => each.run(undefined, daysAfter(1))));
    await scan.run(undefined, daysAfter(1));
  } finally {
    await Promise.all(others.map((each) => each.destroy()));
  }
  const events = await announced();
  expect(events).toHaveLength(2_300);
  expect(events.map(([id]) => id).sort()).toEqual(ids);
});

it('ends between two batches when the process stops, and goes on later', async () => {
  await scan.run(undefined, NOW);
  const ids = Array.from({ length: 600 }, (_, n) => idOf(n));
  await addKeys(ids, daysAfter(30.5));
  const stopping = new AbortController();
  stopping.abort();
  await scan.run(stopping.signal, daysAfter(1));
  expect(await announced()).toEqual([]);
  await scan.run(undefined, daysAfter(1));
  expect(await announced()).toHaveLength(600);
});

it('reads only the keys that come within a threshold, by an index', async () => {
  await database.query(
    `INSERT INTO keys.api_keys (key_id, kind, name, actor_id, scopes, metadata, visibility,
       allowed_cidrs, secret_hash, key_preview, create_time, update_time, expire_time)
     SELECT md5(n::text), 'issued', 'n', 'a', '{}', '{}', 1, '{}',
       decode(md5(n::text) || md5(n::text), 'hex'), '', $1::timestamptz - interval '1 year', now(),
       $1::timestamptz + n * interval '1 minute'
     FROM generate_series(1, 50000) n`,
    [NOW],
  );
  await database.query('ANALYZE keys.api_keys');
  const values = ['issued', NOW, '', new Date(NOW.getTime() + 600_000), 60, 500];
  const plan = await database.query<{ 'QUERY PLAN': string }>(
    `EXPLAIN (ANALYZE, BUFFERS OFF) ${LIST_EXPIRING.text}`,
    values,
  );
  const text = plan.map((row) => row['QUERY PLAN']).join('\n');
  expect(text).toContain('api_keys_expire_time');
  expect(text).toMatch(/rows=10 /);
  expect(text).not.toMatch(/Seq Scan|Rows Removed by Filter/);
});
