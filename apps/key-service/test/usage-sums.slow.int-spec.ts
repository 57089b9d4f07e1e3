/** Usage: sums of hours and days are exact, retention drops them, and pages read what they show. */
import { type Sql, type Statement } from '@gatehouse/kit/sql';
import { KeyErrors } from '../src/errors.js';
import { UsageRetention } from '../src/verification/usage/usage-retention.js';
import { UsageRollup } from '../src/verification/usage/usage-rollup.js';
import { QUERIES_MAX, usageStatement } from '../src/keys/usage-reports/usage-queries.js';
import { type Dimension, type UsageQuery } from '../src/keys/usage-reports/usage-query.js';
import { DAY_MS, HOUR, HOUR_MS, keyOf, logger, MINUTE_MS, useUsage } from './usage-fixture.js';

const { sqlOfReplica, processOf, queries, ask, total, query } = useUsage();

describe('roll-ups', () => {
  const rollups = () =>
    ([0, 1] as const).map((replica) => new UsageRollup(sqlOfReplica(replica), logger));

  it('sum minutes up to hours and days, once, by two processes at the same time', async () => {
    const { recorder, log, count } = processOf();
    const key = keyOf('k', 'alice', ['web']);
    for (let n = 0; n < 240; n += 1) {
      recorder.countValid(key, HOUR + n * MINUTE_MS);
      count(key, { limitName: 'exports' }, HOUR + n * MINUTE_MS);
      if (n % 10 === 9) await log.flush(HOUR);
      if (n === 100) await Promise.all(rollups().map((each) => each.sumUpDue()));
    }
    await log.flush(HOUR);
    await Promise.all(rollups().map((each) => each.sumUpDue()));
    await Promise.all(rollups().map((each) => each.sumUpDue()));
    expect([await total('minute'), await total('hour'), await total('day')]).toEqual([
      480, 480, 480,
    ]);
    const hours = await ask(['key', 'limit'], { interval: 'hour' });
    expect(hours).toHaveLength(8);
    expect(new Set(hours.map(({ count }) => count))).toEqual(new Set(['60']));
    expect(await ask(['tag'], { interval: 'day' })).toEqual([{ tag: 'web', count: '480' }]);
  });

  it('count what arrives after its hour and its day were summed up', async () => {
    const [early, late] = [processOf(), processOf(sqlOfReplica(1))];
    early.recorder.countValid(keyOf('k'), HOUR);
    late.recorder.countValid(keyOf('k'), HOUR);
    const [rollup] = rollups() as [UsageRollup];
    await early.log.flush(HOUR);
    await rollup.sumUpDue();
    expect(await total('day')).toBe(1);
    await late.log.flush(HOUR);
    await rollup.sumUpDue();
    expect([await total('hour'), await total('day')]).toEqual([2, 2]);
  });

  it('reach the day after a process ended between a sum and its end', async () => {
    const { recorder, log } = processOf();
    recorder.countValid(keyOf('k'), HOUR);
    await log.flush(HOUR);
    const sql = sqlOfReplica();
    const dying = {
      rows: (statement: Statement, values?: readonly unknown[]) =>
        statement.text.includes('WITH finished')
          ? Promise.reject(new Error('killed'))
          : sql.rows(statement, values),
    } as Sql;
    await expect(new UsageRollup(dying, logger).sumUpDue()).rejects.toThrow('killed');
    expect([await total('hour'), await total('day')]).toEqual([1, 0]);
    await query(`UPDATE keys.usage_batches SET claimed_until = '-infinity'`);
    const [rollup] = rollups() as [UsageRollup];
    await rollup.sumUpDue();
    expect(await total('day')).toBe(1);
  });

  it('read the rows of an hour as often as their number needs, however often they were written', async () => {
    const { recorder, log } = processOf();
    for (let n = 0; n < 5; n += 1) {
      recorder.countValid(keyOf('k'), HOUR);
      await log.flush(HOUR);
    }
    await query('UPDATE keys.usage_batches SET row_count = 20000000');
    const sql = sqlOfReplica();
    let reads = 0;
    const counting = {
      rows: (statement: Statement, values?: readonly unknown[]) => {
        if (statement.text.includes('WITH sums')) reads += 1;
        return sql.rows(statement, values);
      },
    } as Sql;
    await new UsageRollup(counting, logger).sumUpDue();
    // One read each of the hour and of the day.
    expect([reads, await total('hour'), await total('day')]).toEqual([2, 5, 5]);
  });

  it('keep sums when the minutes are gone', async () => {
    const { recorder, log } = processOf();
    const [rollup] = rollups() as [UsageRollup];
    for (let n = 0; n < 3; n += 1) recorder.countValid(keyOf('k'), HOUR);
    await log.flush(HOUR);
    await rollup.sumUpDue();
    await query('DELETE FROM keys.usage WHERE level = 1');
    recorder.countValid(keyOf('k'), HOUR);
    await log.flush(HOUR);
    await rollup.sumUpDue();
    expect(await total('hour')).toBe(3);
  });
});

it('drops minutes, hours and days by their own settings', async () => {
  const partitions = async () => {
    const rows = await query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relname ~ '^usage_(minutes|hours|days)_[0-9]+$'
        AND relname < 'usage_z' AND relkind = 'r'`,
    );
    return new Set(rows.map(({ name }) => name));
  };
  const nameOf = (table: string, daysAgo: number) => {
    const day = new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);
    return `usage_${table}_${day.replaceAll('-', '')}`;
  };
  for (const [from, to] of [
    [800, 799],
    [92, 89],
    [5, 0],
  ]) {
    await query(
      'SELECT keys.create_usage_partitions(current_date - $1::integer, current_date - $2::integer)',
      [from, to],
    );
  }
  const retention = new UsageRetention(sqlOfReplica(), logger);
  await retention.onModuleInit();
  await retention.onApplicationShutdown();
  const left = await partitions();
  expect([left.has(nameOf('minutes', 2)), left.has(nameOf('minutes', 4))]).toEqual([true, false]);
  expect([left.has(nameOf('hours', 89)), left.has(nameOf('hours', 92))]).toEqual([true, false]);
  const monthOf = (daysAgo: number) => nameOf('days', daysAgo).slice(0, -2) + '01';
  expect([left.has(monthOf(89)), left.has(monthOf(800))]).toEqual([true, false]);
});

it('ends queries after five seconds with a fault that names from, and refuses more than four at once', async () => {
  const one = queries();
  const range = { fromMs: HOUR, toMs: HOUR + HOUR_MS };
  const ask = () =>
    one.page(
      { interval: 'hour', ...range, groupBy: [], equal: {} },
      { pageSize: 10, pageToken: '' },
    );
  await sqlOfReplica(1).transaction(async (sql) => {
    await sql.rows({ text: 'LOCK TABLE keys.usage' });
    const startMs = performance.now();
    const slow = Promise.allSettled(Array.from({ length: QUERIES_MAX }, ask));
    await expect(ask()).rejects.toMatchObject({
      definition: KeyErrors.USAGE_BUSY,
      retryAfterSeconds: 1,
    });
    expect(performance.now() - startMs).toBeLessThan(2_000);
    for (const outcome of await slow) {
      expect(outcome).toMatchObject({
        status: 'rejected',
        reason: { kind: 'invalid_argument', violations: [{ field: 'from' }] },
      });
    }
    expect(performance.now() - startMs).toBeLessThan(9_000);
  });
  expect((await ask()).rows).toEqual([]);
});

describe('pages', () => {
  const range = { fromMs: HOUR, toMs: HOUR + HOUR_MS };

  it('show every row once, in order of time', async () => {
    const { recorder, log } = processOf();
    for (let n = 0; n < 30; n += 1) {
      recorder.countValid(keyOf(`k${n % 10}`), HOUR + Math.floor(n / 10) * MINUTE_MS);
    }
    await log.flush(HOUR);
    const asked = { interval: 'minute', ...range, groupBy: ['key'], equal: {} } as const;
    const seen: string[] = [];
    let pageToken = '';
    do {
      const page = await queries().page(asked, { pageSize: 7, pageToken });
      seen.push(...page.rows.map(({ time, key_id }) => `${time} ${key_id}`));
      pageToken = page.nextPageToken;
    } while (pageToken !== '');
    expect(seen).toHaveLength(30);
    expect(seen).toEqual([...new Set(seen)].sort());
  });

  it.each<[string, readonly Dimension[], UsageQuery['equal'], string]>([
    ['all keys', ['key'], {}, 'pkey'],
    ['a key', ['outcome'], { key: 'k7' }, 'subject'],
    ['the keys of an actor', ['key'], { actor: 'a7' }, 'actor'],
    ['rare outcomes', ['key'], { outcome: '8' }, 'outcome'],
  ])('of %s read an index', async (_title, groupBy, equal, index) => {
    await query(
      `INSERT INTO keys.usage SELECT 1, 1, $1::timestamptz + n % 60 * interval '1 minute', 'k' || n, '',
        CASE WHEN n % 1000 = 0 THEN 8 ELSE 0 END, '', 'a' || n % 1000, 1, 1
        FROM generate_series(1, 20000) n`,
      [new Date(HOUR)],
    );
    await query('ANALYZE keys.usage');
    const asked: UsageQuery = { interval: 'minute', ...range, groupBy, equal };
    const { text, values } = usageStatement(asked, groupBy, undefined, 51);
    const plan = await query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, values);
    const lines = plan.map((row) => row['QUERY PLAN']).join('\n');
    expect(lines).toContain(index);
    expect(lines).not.toContain('Seq Scan');
  });
});
