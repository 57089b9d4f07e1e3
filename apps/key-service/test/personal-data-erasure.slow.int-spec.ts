/** Personal data of erased keys disappears from events, deliveries, counts and portal sessions. */
import { sqlOf } from '@gatehouse/nest-kit/database';
import { LOGGED_KEY_EVENTS, KeyEvents } from '@gatehouse/schemas';
import { loadConfig } from '@gatehouse/kit/settings';
import { type Sql } from '@gatehouse/kit/sql';
import { CONTROL_PLANE, type TestDatabase } from '@gatehouse/testing';
import { pino } from 'pino';
import { type DataSource } from 'typeorm';
import { KeyServiceConfig } from '../src/config.js';
import { createDataSource } from '../src/data-source.js';
import { PersonalDataErasure } from '../src/events/personal-data-erasure.js';
import { KeyEventLog } from '../src/events/key-event-log.js';
import { KeysRepository } from '../src/store/keys/keys.repository.js';
import { ENCRYPTION_KEY, HMAC_SECRET } from './key-stack.js';
import { createKeyDatabase } from './key-database.js';

const idOf = (n: number) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const TYPES = LOGGED_KEY_EVENTS.filter((type) => type !== KeyEvents.erased);
const LEAK = { url: 'https://git.example.com/person', source: 'commit' };
const PERSONAL = /Surname|person|team/;

let database: TestDatabase;
let dataSource: DataSource;
let sql: Sql;
let keys: KeysRepository;
let erasures: PersonalDataErasure[];

beforeAll(async () => {
  database = await createKeyDatabase();
  dataSource = await createDataSource(database.url).initialize();
  const config = loadConfig(KeyServiceConfig, {
    ...CONTROL_PLANE,
    DATABASE_URL: database.url,
    REDIS_URL: 'redis://localhost',
    HMAC_SECRETS: HMAC_SECRET,
    ENCRYPTION_KEYS: ENCRYPTION_KEY,
  });
  sql = sqlOf(dataSource);
  keys = new KeysRepository(sql, config);
  const logger = pino({ enabled: false });
  erasures = [1, 2].map(() => new PersonalDataErasure(sql, config, logger));
});
beforeEach(() =>
  database.query('TRUNCATE keys.api_keys, keys.events, keys.delivery_attempts, keys.erasures'),
);
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

/** Adds keys with an event of each type, the day before and today, and attempts to deliver them. */
async function addKeys(ids: string[], types = TYPES): Promise<void> {
  const createTime = new Date(Date.now() - 86_400_000);
  const added = await keys.insert(
    sql,
    ids.map((keyId) => ({
      keyId,
      kind: 'issued',
      name: 'Surname',
      actorId: 'person',
      scopes: [],
      tags: ['team'],
      metadata: { mail: 'person@example.com' },
      visibility: 'KEY_VISIBILITY_SECRET',
      rateLimitPolicy: null,
      rateLimits: [],
      allowedCidrs: [],
      keyPreview: '',
      createTime,
      hashKeyId: null,
      requestId: null,
      expireTime: null,
      expiringThresholds: null,
      secretHash: Buffer.from(keyId.slice(-32)),
    })),
  );
  const log = new KeyEventLog({ wake: () => undefined });
  const changes = added.flatMap((key) =>
    types.map((type) => ({ type, key, details: type === KeyEvents.exposed ? LEAK : {} })),
  );
  for (const hours of [24, 0]) {
    await sql.transaction((inner) => log.write(inner, changes));
    await database.query(
      `UPDATE keys.events SET created_at = created_at - make_interval(hours => $1)
       WHERE created_at > now() - interval '1 hour' AND $1 > 0`,
      [hours],
    );
  }
  await addAttempts();
}

const addAttempts = () =>
  database.query(`
    INSERT INTO keys.delivery_attempts
      (endpoint_id, source_id, event_id, at, status_code, duration_ms, url, payload, response)
    SELECT keys.uuid_v7(), source_id, id, now(), 200, 1, 'http://x', data, data::text
    FROM keys.events`);

const textsOf = async (keyId: string) => {
  const rows = await database.query<{ text: string }>(
    `SELECT data::text AS text FROM keys.events WHERE data->>'key_id' = $1
     UNION ALL SELECT concat(a.payload::text, a.response) FROM keys.delivery_attempts a
     JOIN keys.events e ON e.id = a.event_id WHERE e.data->>'key_id' = $1`,
    [keyId],
  );
  return rows.map(({ text }) => text);
};
const run = () => Promise.all(erasures.map((erasure) => erasure.run()));

it('empties all events of a key and all logged payloads, and none of another key', async () => {
  await addKeys([idOf(1), idOf(2)]);
  const kept = await textsOf(idOf(2));
  await keys.erase(sql, idOf(1));
  await run();
  const erased = await textsOf(idOf(1));
  expect(erased).toHaveLength(4 * TYPES.length);
  expect(erased.filter((text) => PERSONAL.test(text))).toEqual([]);
  expect(await textsOf(idOf(2))).toEqual(kept);
});

it('empties what a delivery logged after the first pass, and then forgets the plan', async () => {
  await addKeys([idOf(1)]);
  const [before] = await textsOf(idOf(1));
  await keys.erase(sql, idOf(1));
  await run();
  await addAttempts();
  await database.query(
    'UPDATE keys.delivery_attempts SET payload = $1::json, response = $1::json',
    [before],
  );
  await run();
  expect((await textsOf(idOf(1))).join()).toMatch(PERSONAL);
  await database.query('UPDATE keys.erasures SET due_time = now()');
  await run();
  expect((await textsOf(idOf(1))).join()).not.toMatch(PERSONAL);
  expect(await database.query('SELECT FROM keys.erasures')).toEqual([]);
});

describe('the counts of an erased key, and the sessions of its actor', () => {
  const people = async () => {
    const rows = await database.query<{ text: string }>(
      `SELECT concat(actor_id, ' ', subject, ' ', tag) AS text FROM keys.usage
       UNION ALL SELECT actor_id FROM keys.portal_sessions`,
    );
    return rows.filter(({ text }) => PERSONAL.test(text)).length;
  };
  const total = async (keyId: string) => {
    const [row] = await database.query<{ total: string }>(
      'SELECT sum(count) AS total FROM keys.usage WHERE series = 1 AND subject = $1',
      [keyId],
    );
    return Number(row?.total);
  };
  /** A month ago, yesterday and now: by minute, hour and day, of two keys of one person. */
  const addUsage = async () => {
    await database.query('TRUNCATE keys.usage, keys.portal_sessions');
    const first = `(now() AT TIME ZONE 'UTC')::date - 40`;
    await database.query(`SELECT keys.create_usage_partitions(${first}, ${first} + 41)`);
    for (const [level, daysAgo] of [
      ...[1, 2, 3].map((each) => [each, 0]),
      ...[1, 2, 3].map((each) => [each, 1]),
      ...[2, 3].map((each) => [each, 35]),
    ]) {
      await database.query(
        `INSERT INTO keys.usage (level, at, series, subject, tag, actor_id, outcome, limit_name, count, cost)
         SELECT $1, date_trunc('day', now() - make_interval(days => $2), 'UTC'), r.*, 0, '', 1, 1
         FROM (VALUES (1, $3, '', 'person'), (2, $3, 'team', 'person'), (1, $4, '', 'person'),
           (3, 'person', '', ''), (6, '', '', '')) AS r (series, subject, tag, actor_id)`,
        [level, daysAgo, idOf(1), idOf(2)],
      );
    }
    await database.query(
      `INSERT INTO keys.portal_sessions (session_id, actor_id, allow, scopes, tags, max_keys,
         secret_sha256, csrf_key, expire_time)
       VALUES (keys.uuid_v7(), 'person', '{}', '{}', '{}', 1, 'x', 'x', now() - interval '1 day')`,
    );
  };
  const addAndErase = async (ids: string[]) => {
    await addKeys([idOf(1), idOf(2)], [KeyEvents.issued]);
    await database.query(`UPDATE keys.api_keys SET create_time = now() - interval '40 days'`);
    await addUsage();
    for (const id of ids) await keys.erase(sql, id);
    await run();
  };

  it('stay without its actor, which other keys keep', async () => {
    await addAndErase([idOf(1)]);
    // The other key, the person and the session.
    expect(await people()).toBe(8 + 8 + 1);
    expect([await total(idOf(1)), await total(idOf(2))]).toEqual([8, 8]);
  });

  it('do not name a person whose last key was erased', async () => {
    await addAndErase([idOf(1)]);
    await keys.erase(sql, idOf(1));
    await keys.erase(sql, idOf(2));
    await run();
    expect(await people()).toBe(0);
    expect([await total(idOf(1)), await total(idOf(2))]).toEqual([8, 8]);
  });

  it('that a process adds after the first pass are found by the second', async () => {
    await addAndErase([idOf(1), idOf(2)]);
    await addUsage();
    await run();
    expect(await people()).toBeGreaterThan(0);
    await database.query('UPDATE keys.erasures SET due_time = now()');
    await run();
    expect(await people()).toBe(0);
    expect(await database.query('SELECT FROM keys.erasures')).toEqual([]);
  });
});

it('empties the events of many keys while replicas erase at once', async () => {
  const ids = Array.from({ length: 1_100 }, (_, n) => idOf(n));
  await addKeys(ids, [KeyEvents.issued]);
  await Promise.all(ids.map((id) => keys.erase(sql, id)));
  await run();
  const [{ count } = { count: '' }] = await database.query<{ count: string }>(
    `SELECT count(*) FROM keys.events WHERE data::text ~ 'Surname|person|team'`,
  );
  expect(count).toBe('0');
});
