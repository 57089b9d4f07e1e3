/** Refusals: merged by key, reason, limit and network, and bounded for each key, actor and process. */
import { type Sql } from '@gatehouse/kit/sql';
import { sqlOf } from '@gatehouse/nest-kit/database';
import { rowsRead, type TestDatabase } from '@gatehouse/testing';
import { type Logger } from 'pino';
import { type DataSource } from 'typeorm';
import { createDataSource } from '../src/data-source.js';
import { RefusalsRepository } from '../src/store/refusals/refusals.repository.js';
import { DELETE_OLD, LIST, REFUSALS_PER_KEY_MAX } from '../src/store/refusals/refusals.sql.js';
import { RefusalLog, ROWS_MAX, ROWS_OF_KEY_MAX } from '../src/verification/usage/refusal-log.js';
import { createKeyDatabase } from './key-database.js';
import { keyOf, logger } from './usage-fixture.js';

const NOW_MS = Date.parse('2026-06-01T12:00:00Z');
const RATE_LIMITED = 'VERIFICATION_ERROR_RATE_LIMITED';
const REVOKED = 'VERIFICATION_ERROR_REVOKED';

let database: TestDatabase;
let replicas: DataSource[];

beforeAll(async () => {
  database = await createKeyDatabase();
  replicas = await Promise.all([1, 2].map(() => createDataSource(database.url).initialize()));
});
beforeEach(() => database.query('TRUNCATE keys.refusals'));
afterAll(async () => {
  await Promise.all(replicas.map((source) => source.destroy()));
  await database.drop();
});

const repositoryOf = (replica = 0) =>
  new RefusalsRepository(sqlOf(replicas[replica] as DataSource));
/** A process that writes what it noted only when it ends. */
const processOf = (replica = 0) => new RefusalLog(repositoryOf(replica), logger);
const stored = (keyId: string) => repositoryOf().list(keyId);
const countAll = async () => {
  const [row] = await database.query<{ count: string }>('SELECT count(*) FROM keys.refusals');
  return Number(row?.count);
};
const addressOf = (n: number) => `10.${Math.floor(n / 256)}.${n % 256}.7`;

it('are one row for each reason, limit and network, over all replicas, the last one first', async () => {
  const [first, second] = [processOf(0), processOf(1)];
  const key = keyOf('k1');
  first.note(key, RATE_LIMITED, 'exports', '192.0.2.131', NOW_MS + 1_000);
  second.note(key, RATE_LIMITED, 'exports', '192.0.2.9', NOW_MS);
  second.note(key, RATE_LIMITED, 'exports', '::ffff:192.0.2.10', NOW_MS + 3_000);
  first.note(key, RATE_LIMITED, 'default', '192.0.2.131', NOW_MS - 1_000);
  first.note(key, REVOKED, '', '2001:db8:7:8::9', NOW_MS + 5_000);
  first.note(key, REVOKED, '', undefined, NOW_MS - 5_000);
  second.note(keyOf('k2'), REVOKED, '', '192.0.2.1', NOW_MS);
  await Promise.all([first.onApplicationShutdown(), second.onApplicationShutdown()]);

  const at = (ms: number) => new Date(NOW_MS + ms);
  expect(await stored('k1')).toEqual([
    {
      error_code: REVOKED,
      limit: '',
      network: '2001:db8:7::/48',
      first_time: at(5_000),
      last_time: at(5_000),
      count: '1',
    },
    {
      error_code: RATE_LIMITED,
      limit: 'exports',
      network: '192.0.2.0/24',
      first_time: at(0),
      last_time: at(3_000),
      count: '3',
    },
    {
      error_code: RATE_LIMITED,
      limit: 'default',
      network: '192.0.2.0/24',
      first_time: at(-1_000),
      last_time: at(-1_000),
      count: '1',
    },
    {
      error_code: REVOKED,
      limit: '',
      network: '',
      first_time: at(-5_000),
      last_time: at(-5_000),
      count: '1',
    },
  ]);
  expect(await stored('k2')).toHaveLength(1);
});

it('of replicas that write the same rows at once lose no count', async () => {
  const rounds = 20;
  const write = async (replica: number, order: (keys: number[]) => number[]) => {
    for (let round = 0; round < rounds; round += 1) {
      const log = processOf(replica);
      for (const n of order([1, 2, 3, 4, 5])) log.note(keyOf(`k${n}`), REVOKED, '', '', NOW_MS);
      await log.onApplicationShutdown();
    }
  };
  await Promise.all([write(0, (keys) => keys), write(1, (keys) => keys.reverse())]);
  for (const n of [1, 2, 3, 4, 5]) {
    expect((await stored(`k${n}`)).map(({ count }) => count)).toEqual([String(2 * rounds)]);
  }
});

it('of one key are at most 50 rows, the newest, and no other key loses one', async () => {
  const other = processOf();
  other.note(keyOf('other'), REVOKED, '', '192.0.2.1', NOW_MS - 1);
  await other.onApplicationShutdown();
  for (let n = 0; n < REFUSALS_PER_KEY_MAX + 20; n += ROWS_OF_KEY_MAX) {
    const log = processOf();
    for (let i = n; i < n + ROWS_OF_KEY_MAX; i += 1) {
      log.note(keyOf('attacked'), REVOKED, '', addressOf(i), NOW_MS + i);
    }
    await log.onApplicationShutdown();
  }
  const rows = await stored('attacked');
  expect(rows).toHaveLength(REFUSALS_PER_KEY_MAX);
  expect(rows.at(-1)?.last_time).toEqual(new Date(NOW_MS + 20));
  expect(await countAll()).toBe(REFUSALS_PER_KEY_MAX + 1);
  expect(await stored('other')).toHaveLength(1);
});

it('of one key are ten new rows at a time, whose counts go on', async () => {
  const log = processOf();
  for (let round = 0; round < 2; round += 1) {
    for (let n = 0; n < 1_000; n += 1) log.note(keyOf('k'), REVOKED, '', addressOf(n), NOW_MS);
  }
  log.note(keyOf('k2'), REVOKED, '', addressOf(0), NOW_MS);
  await log.onApplicationShutdown();
  const rows = await stored('k');
  expect(rows).toHaveLength(ROWS_OF_KEY_MAX);
  expect(rows.every(({ count }) => count === '2')).toBe(true);
  expect(await stored('k2')).toHaveLength(1);
});

it('of an actor with many keys leave room for those of others', async () => {
  const log = processOf();
  for (let n = 0; n < 10_000; n += 1) {
    log.note(keyOf(`hostile-${n}`, 'hostile'), REVOKED, '', addressOf(n), NOW_MS);
  }
  log.note(keyOf('k', 'alice'), REVOKED, '', '192.0.2.1', NOW_MS);
  await log.onApplicationShutdown();
  expect(await countAll()).toBeLessThanOrEqual(ROWS_MAX);
  expect(await stored('k')).toHaveLength(1);
});

it('have room again after each write', async () => {
  jest.useFakeTimers({ advanceTimers: true });
  const sizes: number[] = [];
  const add = (rows: readonly unknown[]) => Promise.resolve(void sizes.push(rows.length));
  const log = new RefusalLog({ add } as unknown as RefusalsRepository, logger);
  try {
    log.onModuleInit();
    for (let round = 1; round <= 2; round += 1) {
      for (let n = 0; n < 20; n += 1) log.note(keyOf('k'), REVOKED, '', addressOf(n), NOW_MS);
      await jest.advanceTimersByTimeAsync(2_000);
      expect(sizes).toEqual(Array.from({ length: round }, () => ROWS_OF_KEY_MAX));
    }
    await log.onApplicationShutdown();
  } finally {
    jest.useRealTimers();
  }
});

it('are lost, with a warning, while the database is away', async () => {
  const warnings: unknown[] = [];
  const away = { rows: () => Promise.reject(new Error('gone')) } as unknown as Sql;
  const noisy = { warn: (...each: unknown[]) => warnings.push(each) } as unknown as Logger;
  const log = new RefusalLog(new RefusalsRepository(away), noisy);
  log.note(keyOf('k'), REVOKED, '', '192.0.2.1', NOW_MS);
  await log.onApplicationShutdown();
  expect(warnings).toHaveLength(1);
  expect(await countAll()).toBe(0);
});

describe('with 20,000 rows of other keys', () => {
  beforeEach(async () => {
    await database.query(`
      INSERT INTO keys.refusals (key_id, reason, limit_name, network, first_time, last_time, count)
      SELECT 'k' || n / 10, 3, '', n % 10 || '.0.0.0/24', now(), now() - n * interval '1 minute', 1
      FROM generate_series(0, 19999) AS n`);
    await database.query(`
      INSERT INTO keys.refusals (key_id, reason, limit_name, network, first_time, last_time, count)
      SELECT 'old', 3, '', n || '.0.0.0/24', now(), now() - interval '30 days 1 minute', 1
      FROM generate_series(0, 4) AS n`);
    await database.query('ANALYZE keys.refusals');
  });

  it('those of a key are found, and old ones deleted, without reading the others', async () => {
    const place = { url: database.url, table: 'refusals', plan: 'generic' } as const;
    expect(await rowsRead(place, LIST, ['k7'])).toBeLessThanOrEqual(20);
    expect(await rowsRead(place, DELETE_OLD, [5_000])).toBeLessThanOrEqual(10);
  });

  it('are deleted 30 days after their last time, and no earlier', async () => {
    await repositoryOf().deleteOld();
    expect(await stored('old')).toEqual([]);
    expect(await countAll()).toBe(20_000);
  });
});
