/** Processes that count usage in one database, and what it says afterwards. */
import { sqlOf } from '@gatehouse/nest-kit/database';
import { KeyRing } from '@gatehouse/crypto';
import { type Sql, type SqlExecutor } from '@gatehouse/kit/sql';
import { type TestDatabase } from '@gatehouse/testing';
import { type Logger } from 'pino';
import { type DataSource } from 'typeorm';
import { KeyServiceConfig } from '../src/config.js';
import { createDataSource } from '../src/data-source.js';
import { type VerificationKey } from '../src/store/keys/verification-key.js';
import { UsageLog } from '../src/verification/usage/usage-log.js';
import {
  type CountedVerification,
  UsageRecorder,
} from '../src/verification/usage/usage-recorder.js';
import { UsageQueries } from '../src/keys/usage-reports/usage-queries.js';
import { type Dimension, type UsageQuery } from '../src/keys/usage-reports/usage-query.js';
import { createKeyDatabase } from './key-database.js';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
/** An hour and a day that are over, but whose partitions are there. */
export const HOUR = Math.floor((Date.now() - DAY_MS) / DAY_MS) * DAY_MS + 10 * HOUR_MS;
export const logger = { warn: () => undefined, info: () => undefined } as unknown as Logger;

export const keyOf = (keyId: string, actor = 'alice', tags: readonly string[] = []) =>
  ({ keyId, tags, readActorId: () => actor, usage: undefined }) as unknown as VerificationKey;

export function useUsage() {
  let database: TestDatabase;
  let replicas: [DataSource, DataSource];

  beforeAll(async () => {
    database = await createKeyDatabase();
    const open = () => createDataSource(database.url).initialize();
    replicas = [await open(), await open()];
  });
  beforeEach(() => database.query('TRUNCATE keys.usage, keys.usage_batches'));
  afterAll(async () => {
    await Promise.all(replicas.map((source) => source.destroy()));
    await database.drop();
  });

  const sqlOfReplica = (replica: 0 | 1 = 0) => sqlOf(replicas[replica]);
  /** A process with its own counts. */
  const processOf = (sql: SqlExecutor = sqlOfReplica()) => {
    const recorder = new UsageRecorder(new KeyServiceConfig());
    const log = new UsageLog(sql as Sql, recorder, logger);
    const count = (
      key: VerificationKey | null,
      more: Partial<CountedVerification>,
      atMs = HOUR,
    ) => {
      const error = 'VERIFICATION_ERROR_RATE_LIMITED';
      const counted = {
        error,
        key,
        limitName: '',
        tags: [],
        cost: 1,
        credential: '',
        ...more,
      } as const;
      recorder.countOutcome(counted, atMs);
    };
    return { recorder, log, count };
  };
  const queries = () => new UsageQueries(sqlOfReplica(), KeyRing.fromTexts(['x'.repeat(32)]));
  /** The counts without their times, from the day before the hour to the day after it. */
  const ask = async (groupBy: readonly Dimension[], more: Partial<UsageQuery> = {}) => {
    const range = { fromMs: HOUR - DAY_MS, toMs: HOUR + DAY_MS };
    const query = { interval: 'minute', ...range, groupBy, equal: {}, ...more } as const;
    const { rows } = await queries().page(query, { pageSize: 1_000, pageToken: '' });
    return rows.map(({ time: _time, cost: _cost, ...row }) => row);
  };
  const total = async (interval: UsageQuery['interval'] = 'minute') => {
    const rows = await ask([], { interval });
    return rows.reduce((sum, { count }) => sum + Number(count), 0);
  };
  const query = <Row extends object>(text: string, values?: readonly unknown[]) =>
    database.query<Row>(text, values as unknown[]);
  return { sqlOfReplica, processOf, queries, ask, total, query };
}
