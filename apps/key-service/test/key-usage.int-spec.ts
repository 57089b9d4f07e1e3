/** Events about the use of keys: each is announced once, whichever replica notes it. */
import { sqlOf } from '@gatehouse/nest-kit/database';
import { plainEventBody } from '@gatehouse/delivery';
import { checkEventsIn, type TestDatabase } from '@gatehouse/testing';
import { type DataSource } from 'typeorm';
import { CreditsRepository } from '../src/store/credits/credits.repository.js';
import { createDataSource } from '../src/data-source.js';
import { KeyEventLog } from '../src/events/key-event-log.js';
import { KeyUsage } from '../src/verification/usage/key-usage.js';
import { createKeyDatabase } from './key-database.js';
import { loggedKeyEvents } from './logged-key-events.js';

const MINUTE_MS = 60_000;
const NOW_MS = Date.parse('2026-06-01T12:00:00Z');
const OLD_KEY = '01900000-0000-7000-8000-00000000000a';

let database: TestDatabase;
let replicas: DataSource[];
let usages: KeyUsage[];
let wakeUps = 0;

const log = new KeyEventLog({ wake: () => wakeUps++ });

beforeAll(async () => {
  database = await createKeyDatabase();
  replicas = await Promise.all([1, 2, 3].map(() => createDataSource(database.url).initialize()));
  usages = replicas.map((source) => new KeyUsage(sqlOf(source), log));
});
beforeEach(async () => {
  wakeUps = 0;
  await database.query('TRUNCATE keys.api_keys, keys.events');
});
afterAll(async () => {
  await Promise.all(replicas.map((source) => source.destroy()));
  await database.drop();
});

const idOf = (n: number) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const idsTo = (count: number) => Array.from({ length: count }, (_, n) => idOf(n));

/** Adds keys with a rate limit; with `rotatedFrom`, as successors of another key. */
const addKeys = (ids: readonly string[], rotatedFrom: string | null = null) =>
  database.query(
    `INSERT INTO keys.api_keys (key_id, kind, name, actor_id, scopes, metadata, visibility,
       allowed_cidrs, secret_hash, key_preview, create_time, update_time, rotated_from,
       rate_quota, rate_unit, rate_window_seconds)
     SELECT id, 'issued', 'n', 'actor', '{}', '{"mail":"m"}', 1, '{}', sha256(id::bytea), '', now(),
       now(), $2, 5, 'requests', 60
     FROM unnest($1::text[]) id`,
    [ids, rotatedFrom],
  );
const usedAt = (ids: readonly string[], atMs: number) => ids.map((id) => [id, atMs] as const);
const lastUses = async () => {
  const rows = await database.query<{ last_used_time: Date | null }>(
    'SELECT last_used_time FROM keys.api_keys ORDER BY key_id',
  );
  return rows.map(({ last_used_time: time }) => time?.getTime() ?? null);
};
const announced = async () => {
  const events = await loggedKeyEvents(replicas[0] as DataSource);
  checkEventsIn(events.map(plainEventBody));
  return events.map(({ type, data }) => ({ type, data: data as Record<string, unknown> }));
};

describe('the first use of a key that replaces another one', () => {
  it('completes the rotation once, with the old key, and is the last use', async () => {
    await addKeys([idOf(1)], OLD_KEY);
    const [usage] = usages as [KeyUsage];
    await usage.record(usedAt([idOf(1)], NOW_MS), MINUTE_MS);
    await usage.record(usedAt([idOf(1)], NOW_MS + 2 * MINUTE_MS), MINUTE_MS);
    expect(await announced()).toEqual([
      {
        type: 'key.rotation_completed',
        data: expect.objectContaining({ key_id: idOf(1), old_key_id: OLD_KEY, actor_id: 'actor' }),
      },
    ]);
    expect(await lastUses()).toEqual([NOW_MS + 2 * MINUTE_MS]);
    expect(wakeUps).toBe(1);
  });

  it('completes hundreds of rotations once each, though all replicas note them at once', async () => {
    const ids = idsTo(300);
    await addKeys(ids, OLD_KEY);
    const uses = usedAt(ids, NOW_MS);
    await Promise.all([
      usages[0]?.record(uses, MINUTE_MS),
      usages[1]?.record([...uses].reverse(), MINUTE_MS),
      usages[2]?.record(uses, MINUTE_MS),
    ]);
    const keyIds = (await announced()).map(({ data }) => data.key_id);
    expect(keyIds.sort()).toEqual(ids);
    expect(await lastUses()).toEqual(ids.map(() => NOW_MS));
  });
});

it('the use of other keys causes no event, and is stored at most once a minute', async () => {
  await addKeys([idOf(1), idOf(2)]);
  const [usage] = usages as [KeyUsage];
  await usage.record(usedAt([idOf(1), idOf(2)], NOW_MS), MINUTE_MS);
  await usage.record(usedAt([idOf(1)], NOW_MS + 30_000), MINUTE_MS);
  await usage.record(usedAt([idOf(2)], NOW_MS + 61_000), MINUTE_MS);
  expect(await lastUses()).toEqual([NOW_MS, NOW_MS + 61_000]);
  expect([await announced(), wakeUps]).toEqual([[], 0]);
});

describe('a key that exceeds its rate limit', () => {
  const noteAt = async (minutes: number) => {
    const now = new Date(NOW_MS + minutes * MINUTE_MS);
    const uses = usedAt([idOf(1)], now.getTime());
    await Promise.all(usages.map((usage) => usage.announceRateLimited(uses, now)));
    return (await announced()).length;
  };

  it('is announced at most once an hour by all replicas together', async () => {
    await addKeys([idOf(1)]);
    expect([await noteAt(0), await noteAt(30), await noteAt(59)]).toEqual([1, 1, 1]);
    expect([await noteAt(60), await noteAt(119), await noteAt(121)]).toEqual([2, 2, 3]);
    expect(await announced()).toContainEqual({
      type: 'key.rate_limited',
      data: expect.objectContaining({
        key_id: idOf(1),
        metadata: { mail: 'm' },
        rate_limit_policy: { quota: '5', unit: 'requests', window: '60s' },
      }),
    });
  });

  it('is not announced when it has been revoked or deleted', async () => {
    await addKeys([idOf(1)]);
    await database.query('UPDATE keys.api_keys SET revoke_time = now()');
    expect(await noteAt(0)).toBe(0);
    await database.query('DELETE FROM keys.api_keys');
    expect(await noteAt(0)).toBe(0);
  });
});

describe('a key whose credits do not suffice', () => {
  const ACCOUNT = idOf(1);
  const refuse = async (cost: number, ids = [idOf(1)]) => {
    const refused = ids.map((id) => [id, cost] as const);
    await Promise.all(usages.map((usage) => usage.announceExhausted(refused)));
    return (await announced()).length;
  };
  beforeEach(async () => {
    await database.query('TRUNCATE keys.credits');
    await addKeys([idOf(1), idOf(2)]);
    await database.query('UPDATE keys.api_keys SET credit_account = $1', [ACCOUNT]);
    await database.query(
      `INSERT INTO keys.credits (account_id, remaining, refill_amount, refill_seconds, refill_time, is_strict)
       VALUES ($1, 3, 10, 3600, '2100-01-01T00:00:00Z', false)`,
      [ACCOUNT],
    );
  });

  it('is announced once by all replicas and keys of the balance, with what remains', async () => {
    expect(await refuse(5, [idOf(1), idOf(2)])).toBe(1);
    expect([await refuse(5), await refuse(9, [idOf(2)]), await refuse(3)]).toEqual([1, 1, 1]);
    expect(await announced()).toEqual([
      {
        type: 'key.credits_exhausted',
        data: expect.objectContaining({
          actor_id: 'actor',
          credits: { remaining: '3', refill_time: '2100-01-01T00:00:00.000Z' },
        }),
      },
    ]);
  });

  it('is announced again after credits were added, set or refilled, and not before', async () => {
    const sql = sqlOf(replicas[0] as DataSource);
    const credits = new CreditsRepository(sql);
    expect([await refuse(5), await refuse(5)]).toEqual([1, 1]);
    await credits.add(sql, ACCOUNT, 1, null);
    expect([await refuse(4), await refuse(5), await refuse(5)]).toEqual([1, 2, 2]);
    const refill = { amount: 10, intervalSeconds: 3_600, at: new Date(Date.now() + 3_600_000) };
    await credits.set(sql, ACCOUNT, { remaining: 1, refill, isStrict: false });
    expect([await refuse(5), await refuse(5)]).toEqual([3, 3]);
    await database.query("UPDATE keys.credits SET refill_time = now() - interval '1 second'");
    expect([await refuse(10), await refuse(11), await refuse(11)]).toEqual([3, 4, 4]);
    await credits.spend(ACCOUNT, 10, 10);
    expect(await refuse(1)).toBe(4);
  });

  it('is not announced when it has been revoked', async () => {
    await database.query('UPDATE keys.api_keys SET revoke_time = now()');
    expect(await refuse(5)).toBe(0);
  });
});
