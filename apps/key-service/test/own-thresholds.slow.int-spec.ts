/** Keys with thresholds of their own are announced by these, once each, and the scan reads only those. */
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
import { LIST_OWN_DUE } from '../src/events/expiry/expiry.sql.js';
import { OwnThresholdScan } from '../src/events/expiry/own-threshold-scan.js';
import { KeysRepository } from '../src/store/keys/keys.repository.js';
import { REPLACE, UNDELETE, UPDATE } from '../src/store/keys/keys.sql.js';
import { ENCRYPTION_KEY, HMAC_SECRET } from './key-stack.js';
import { loggedKeyEvents } from './logged-key-events.js';
import { createKeyDatabase } from './key-database.js';

const DAY_SECONDS = 86_400;
const NOW = new Date('2026-06-01T12:00:00Z');
const daysAfter = (days: number) => new Date(NOW.getTime() + days * DAY_SECONDS * 1_000);
const MINUTE = 1 / 1_440;
const idOf = (n: number) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`;

let database: TestDatabase;
let dataSource: DataSource;
let config: KeyServiceConfig;
let keys: KeysRepository;
let scan: (now: Date, signal?: AbortSignal) => Promise<void>;

const log = new KeyEventLog({ wake: () => undefined });
const newScan = (source: DataSource) => {
  const sql = sqlOf(source);
  const notices = new ExpiryNotices(sql, log);
  const expiry = new ExpiryScan(sql, notices, config);
  const own = new OwnThresholdScan(sql, notices, config);
  return async (now: Date, signal?: AbortSignal) => {
    await expiry.run(signal, now);
    await own.run(signal, now);
  };
};

beforeAll(async () => {
  database = await createKeyDatabase();
  dataSource = await createDataSource(database.url).initialize();
  config = loadConfig(KeyServiceConfig, {
    ...CONTROL_PLANE,
    DATABASE_URL: database.url,
    REDIS_URL: 'redis://localhost',
    HMAC_SECRETS: HMAC_SECRET,
    ENCRYPTION_KEYS: ENCRYPTION_KEY,
  });
  keys = new KeysRepository(sqlOf(dataSource), config);
  scan = newScan(dataSource);
});
beforeEach(async () => {
  await database.query(
    'TRUNCATE keys.api_keys, keys.expiry_notices, keys.expiry_scans, keys.events',
  );
  await scan(NOW);
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

/** Adds keys that are created now. */
const addKeys = (ids: string[], expiresAfterDays: number | null, ownDays: number[] | null) =>
  keys.insert(
    sqlOf(dataSource),
    ids.map((keyId, n) => ({
      keyId,
      kind: 'issued',
      name: 'n',
      actorId: 'actor',
      scopes: [],
      metadata: {},
      tags: [],
      visibility: 'KEY_VISIBILITY_SECRET',
      rateLimitPolicy: null,
      rateLimits: [],
      allowedCidrs: [],
      expiringThresholds: ownDays && ownDays.map((days) => days * DAY_SECONDS),
      keyPreview: '',
      createTime: NOW,
      hashKeyId: null,
      requestId: null,
      expireTime: expiresAfterDays === null ? null : daysAfter(expiresAfterDays),
      secretHash: Buffer.alloc(32, String(n).padStart(5, '0')),
    })),
  );
const setThresholds = (now: Date, ownDays: number[] | null) =>
  sqlOf(dataSource).rows(UPDATE, [
    idOf(1),
    'issued',
    now,
    null,
    null,
    null,
    null,
    false,
    null,
    null,
    null,
    true,
    ownDays && ownDays.map((days) => days * DAY_SECONDS),
    null,
    null,
    '{}',
  ]);
const scanDaily = async (from: number, to: number) => {
  for (let day = from; day <= to; day += 0.5) await scan(daysAfter(day));
};
/** The thresholds in days, `expired` for the expiry itself. */
const announced = async () => {
  const events = await loggedKeyEvents(dataSource);
  return events.map((event) => {
    checkEventsIn(plainEventBody(event));
    const { threshold } = event.data as { threshold?: string };
    return threshold === undefined ? 'expired' : parseInt(threshold) / DAY_SECONDS;
  });
};

it('announces a key by its own thresholds, once each, and when it expires', async () => {
  await addKeys([idOf(1)], 40, [14, 3, 30]);
  await scanDaily(0, 48);
  expect(await announced()).toEqual([30, 14, 3, 'expired']);
});

it('announces nothing before the expiry if the list is empty', async () => {
  await addKeys([idOf(1)], 40, []);
  await scanDaily(0, 42);
  expect(await announced()).toEqual(['expired']);
});

it('announces no threshold that the key never was outside of, and no key that does not expire', async () => {
  await addKeys([idOf(1)], 14, [60, 14, 3]);
  await addKeys([idOf(2)], null, [14]);
  await scanDaily(0, 13);
  expect(await announced()).toEqual([3]);
});

it('catches up after a pause in the order of the thresholds, and leaves out keys that have expired', async () => {
  await addKeys([idOf(1)], 40, [14, 10, 3]);
  await addKeys([idOf(2)], 20, [14, 3]);
  await scan(daysAfter(32));
  expect(await announced()).toEqual(['expired', 14, 10]);
  await scan(daysAfter(41));
  expect((await announced()).slice(3)).toEqual(['expired']);
});

it('announces no key that was revoked, and reads it no more', async () => {
  await addKeys([idOf(1)], 40, [14]);
  await database.query('UPDATE keys.api_keys SET revoke_time = now()');
  await scanDaily(25, 41);
  expect(await announced()).toEqual([]);
});

describe('thresholds that are changed', () => {
  it('are announced from then on, and none twice or too late', async () => {
    await addKeys([idOf(1)], 40, [30, 14, 5]);
    await scanDaily(0, 27);
    await setThresholds(daysAfter(27), [30, 20, 14, 10, 3]);
    await scanDaily(27, 39);
    expect(await announced()).toEqual([30, 14, 10, 3]);
  });

  it('follow the setting again when they are unset', async () => {
    await addKeys([idOf(1)], 40, [30, 14]);
    await scanDaily(0, 27);
    await setThresholds(daysAfter(27), null);
    await scanDaily(27, 40.5);
    expect(await announced()).toEqual([30, 14, 7, 1, 'expired']);
  });

  it.each([
    ['of its own to others', 25, [25], [25, 2]],
    ['of the settings to its own', 30, null, [30, 2]],
    ['of its own to the settings', 30, [30], null],
  ])('lose none that waits for its scan: %s', async (_, days, before, after) => {
    await addKeys([idOf(1)], days + 10, before);
    await scan(daysAfter(10 - MINUTE));
    await setThresholds(daysAfter(10 + MINUTE), after);
    await scan(daysAfter(10 + 2 * MINUTE));
    await scan(daysAfter(10 + 3 * MINUTE));
    expect(await announced()).toEqual([days]);
  });
});

it('follows an expiry that a rotation with a grace period has shortened', async () => {
  await addKeys([idOf(1)], 40, [14, 3, 1]);
  const rotatedAt = daysAfter(27);
  await scanDaily(0, 27);
  await sqlOf(dataSource).rows(REPLACE, [rotatedAt, idOf(1), idOf(2), daysAfter(29)]);
  await scanDaily(27, 29);
  expect(await announced()).toEqual([14, 1, 'expired']);
});

it('announces thousands of keys once each, while replicas scan at once', async () => {
  const ids = Array.from({ length: 1_150 }, (_, n) => idOf(n));
  await addKeys(ids, 40, [14, 10]);
  const others = await Promise.all([1, 2].map(() => createDataSource(database.url).initialize()));
  try {
    const scans = [scan, ...others.map(newScan)];
    await Promise.all(scans.map((each) => each(daysAfter(32))));
    await scan(daysAfter(32));
  } finally {
    await Promise.all(others.map((each) => each.destroy()));
  }
  expect(await announced()).toHaveLength(2_300);
  expect(await database.query('SELECT key_id FROM keys.expiry_notices')).toHaveLength(2_300);
});

it('ends between two batches when the process stops, and goes on later', async () => {
  await addKeys([idOf(1)], 40, [14]);
  await scan(daysAfter(27), AbortSignal.abort());
  expect(await announced()).toEqual([]);
  await scan(daysAfter(27));
  expect(await announced()).toEqual([14]);
});

it('reads only the keys that are due, by an index', async () => {
  await database.query(
    `INSERT INTO keys.api_keys (key_id, kind, name, actor_id, scopes, metadata, visibility,
       allowed_cidrs, secret_hash, key_preview, create_time, update_time, expire_time,
       expiring_thresholds, next_expiring_time)
     SELECT md5(n::text), 'issued', 'n', 'a', '{}', '{}', 1, '{}',
       decode(md5(n::text) || md5(n::text), 'hex'), '', $1, now(),
       $1::timestamptz + n * interval '1 minute' + interval '30 days',
       ARRAY[2592000], $1::timestamptz + n * interval '1 minute'
     FROM generate_series(1, 50000) n`,
    [NOW],
  );
  await database.query('ANALYZE keys.api_keys');
  const plan = await database.query<{ 'QUERY PLAN': string }>(
    `EXPLAIN (ANALYZE, BUFFERS OFF) ${LIST_OWN_DUE.text}`,
    [daysAfter(10.5 * MINUTE), 100],
  );
  const text = plan.map((row) => row['QUERY PLAN']).join('\n');
  expect(text).toContain('api_keys_next_expiring');
  expect(text).toMatch(/rows=10\.?0* /);
  expect(text).not.toMatch(/Seq Scan|Rows Removed by Filter/);
});

it('announces what a key has reached while it was revoked, when that is taken back', async () => {
  await addKeys([idOf(1), idOf(2)], 40, null);
  await addKeys([idOf(3), idOf(4)], 40, [20, 10]);
  const set = (ids: string[], at: Date) =>
    database.query(
      `UPDATE keys.api_keys SET revoke_time = $2::timestamptz, undelete_until = $2::timestamptz + interval '1 hour'
       WHERE key_id = ANY ($1)`,
      [ids, at],
    );
  await scan(daysAfter(9));
  const [at, until] = [daysAfter(10 - 10 * MINUTE), daysAfter(10 + 40 * MINUTE)];
  await set([idOf(1), idOf(2)], at);
  await scan(daysAfter(10 + 30 * MINUTE));
  await sqlOf(dataSource).rows(UNDELETE, [idOf(1), until]);
  await scanDaily(11, 19);
  expect(await announced()).toEqual([30]);
  await scan(daysAfter(20 - 20 * MINUTE));
  await set([idOf(3), idOf(4)], daysAfter(20 - 10 * MINUTE));
  await scan(daysAfter(20 + 30 * MINUTE));
  await sqlOf(dataSource).rows(UNDELETE, [idOf(3), daysAfter(20 + 40 * MINUTE)]);
  await scanDaily(21, 29);
  expect(await announced()).toEqual([30, 20]);
});
