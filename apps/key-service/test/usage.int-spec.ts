/** Usage: every verification is counted once, whatever happens to the process that counted it. */
import { type SqlExecutor, type Statement } from '@gatehouse/kit/sql';
import { AGE_MS_MAX, PendingUsage, ROWS_MAX } from '../src/verification/usage/pending-usage.js';
import { TAGS_OF_KEY_MAX } from '../src/verification/usage/usage-expansion.js';
import { KEYS_MAX } from '../src/verification/usage/usage-recorder.js';
import { SERIES } from '../src/store/usage/usage.types.js';
import { HOUR, HOUR_MS, keyOf, MINUTE_MS, useUsage } from './usage-fixture.js';

const { sqlOfReplica, processOf, ask, total } = useUsage();

/** Statements whose answer is lost `times` times after they were executed. */
const losingAnswers = (times: number): SqlExecutor => ({
  rows: async <Row extends object>(statement: Statement, values?: readonly unknown[]) => {
    const rows = await sqlOfReplica().rows<Row>(statement, values);
    if ((times -= 1) >= 0) throw Object.assign(new Error('gone'), { code: 'ECONNRESET' });
    return rows;
  },
});
const unavailable = { isAway: true };
const awaySql: SqlExecutor = {
  rows: <Row extends object>(statement: Statement, values?: readonly unknown[]) =>
    unavailable.isAway
      ? Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }))
      : sqlOfReplica().rows<Row>(statement, values),
};

describe('recording', () => {
  it('counts by key, actor, outcome, limit and tag', async () => {
    const { recorder, log, count } = processOf();
    const [first, second] = [keyOf('k1', 'alice', ['web']), keyOf('k2', 'alice')];
    for (let n = 0; n < 3; n += 1) recorder.countValid(first, HOUR);
    recorder.countValid(second, HOUR);
    count(second, { limitName: 'exports' });
    count(first, { error: undefined, tags: ['web', 'v2'] });
    count(null, { error: 'VERIFICATION_ERROR_NOT_FOUND', credential: 'guess' });
    await log.flush(HOUR);

    expect(await ask(['key', 'outcome', 'limit'])).toEqual([
      { key_id: 'k1', outcome: 'valid', limit: '', count: '4' },
      { key_id: 'k2', outcome: 'valid', limit: '', count: '1' },
      { key_id: 'k2', outcome: 'rate_limited', limit: 'exports', count: '1' },
    ]);
    expect(await ask(['actor'])).toEqual([{ actor_id: 'alice', count: '6' }]);
    expect(await ask(['tag'])).toEqual([
      { tag: 'v2', count: '1' },
      { tag: 'web', count: '4' },
    ]);
    expect(await ask(['key', 'actor'], { equal: { tag: 'web' } })).toEqual([
      { key_id: 'k1', actor_id: 'alice', count: '4' },
    ]);
    expect(await ask(['prefix', 'outcome'])).toEqual([
      { prefix: 'imported', outcome: 'not_found', count: '1' },
    ]);
    expect(await ask(['limit'], { equal: { limit: 'exports' } })).toEqual([
      { limit: 'exports', count: '1' },
    ]);
    expect(await total()).toBe(7);
  });

  it('adds a key to what it has counted since, after each write and in each minute', async () => {
    const { recorder, log } = processOf();
    const key = keyOf('k');
    for (const atMs of [HOUR, HOUR + MINUTE_MS - 1, HOUR + MINUTE_MS]) {
      recorder.countValid(key, atMs);
      await log.flush(atMs);
      recorder.countValid(key, atMs);
    }
    await log.flush(HOUR);
    expect(await ask(['key'])).toEqual([
      { key_id: 'k', count: '4' },
      { key_id: 'k', count: '2' },
    ]);
  });

  it('counts nothing twice when the answer of a write is lost', async () => {
    const { recorder, log } = processOf(losingAnswers(2));
    recorder.countValid(keyOf('k'), HOUR);
    await expect(log.flush(HOUR)).rejects.toThrow('gone');
    recorder.countValid(keyOf('k'), HOUR);
    await expect(log.flush(HOUR)).rejects.toThrow('gone');
    await log.flush(HOUR);
    expect(await total()).toBe(2);
  });

  it('keeps counts while the database is away, within bounds', async () => {
    unavailable.isAway = true;
    const { recorder, log } = processOf(awaySql);
    for (let minute = 0; minute < 30; minute += 1) {
      recorder.countValid(keyOf('k'), HOUR + minute * MINUTE_MS);
      await expect(log.flush(HOUR)).rejects.toThrow('gone');
    }
    unavailable.isAway = false;
    await log.flush(HOUR);
    expect(await total()).toBe(30);
    expect(log.pending.lost).toBe(0);
  });

  it('writes what is left when the process ends', async () => {
    const { recorder, log } = processOf();
    recorder.countValid(keyOf('k'), HOUR);
    log['pending'].take = (
      (take) => () =>
        take(HOUR)
    )(log.pending.take.bind(log.pending));
    await log.onApplicationShutdown();
    expect(await total()).toBe(1);
  });

  it('adds the counts of two processes that write the same rows at once', async () => {
    const processes = ([0, 1] as const).map((replica) => processOf(sqlOfReplica(replica)));
    for (let turn = 0; turn < 5; turn += 1) {
      for (const { recorder } of processes) {
        for (let n = 0; n < 50; n += 1) recorder.countValid(keyOf(`k${n}`), HOUR);
      }
      await Promise.all(processes.map(({ log }) => log.flush(HOUR)));
    }
    expect(await total()).toBe(500);
  });
});

describe('bounds', () => {
  it(`counts ${KEYS_MAX} keys by themselves, and others as _other`, () => {
    const { recorder } = processOf();
    for (let n = 0; n < KEYS_MAX + 5; n += 1) recorder.countValid(keyOf(`k${n}`), HOUR);
    const [batch] = recorder.take();
    expect(batch?.keys.size).toBe(KEYS_MAX + 1);
    expect(batch?.keys.get('_other')?.valid).toBe(5);
    expect(recorder.overflows.keys).toBe(5);
  });

  it(`counts ${TAGS_OF_KEY_MAX} tags of a key in a day, and others as _other`, async () => {
    const { log, count, recorder } = processOf();
    const key = keyOf('k');
    for (let n = 0; n < 200; n += 1) count(key, { error: undefined, tags: [`t${n}`] });
    await log.flush(HOUR);
    for (let n = 0; n < 10; n += 1) count(key, { error: undefined, tags: [`u${n}`] });
    await log.flush(HOUR);
    const rows = await ask(['tag'], { equal: { key: 'k' } });
    expect(rows).toHaveLength(TAGS_OF_KEY_MAX + 1);
    expect(rows).toContainEqual({ tag: '_other', count: String(210 - TAGS_OF_KEY_MAX) });
    expect(await total()).toBe(210);
    expect(recorder.overflows.tags).toBeGreaterThanOrEqual(210 - TAGS_OF_KEY_MAX);
  });

  it(`keeps ${ROWS_MAX} rows, adds further ones to _other, and drops those that are too old`, () => {
    const pending = new PendingUsage();
    const row = { atMs: HOUR, tag: '', outcome: 0, limitName: '', actorId: '', count: 1, cost: 1 };
    for (let n = 0; n < ROWS_MAX + 10; n += 1) {
      pending.add({ ...row, series: SERIES.key, subject: `k${n}` });
      pending.add({ ...row, series: SERIES.all, subject: '' });
    }
    expect(pending.size).toBe(ROWS_MAX + 1);
    expect(pending.overflows).toBe(11);
    expect(pending.take(HOUR + AGE_MS_MAX + HOUR_MS + 1)).toBeUndefined();
    expect([pending.size, pending.lost]).toEqual([0, ROWS_MAX + 10]);
  });

  it('counts unknown credentials by their prefix only', async () => {
    const { log, count } = processOf();
    for (let n = 0; n < 1_000; n += 1) {
      const credential = n % 2 === 0 ? `scan${n}_v1_x` : `eyJ${n}.eyJ.x`;
      count(null, { error: 'VERIFICATION_ERROR_NOT_FOUND', credential });
    }
    await log.flush(HOUR);
    expect((await ask(['prefix'])).length).toBeLessThanOrEqual(4);
    expect(await total()).toBe(1_000);
  });
});
