/** The tables: migrations in both directions, and an index for every list. */
import { type TestDatabase } from '@gatehouse/testing';
import { KeyEvents } from '@gatehouse/schemas';
import { AuditEvents } from '@gatehouse/kit/audit';
import { uuidv7, uuidv7Bound } from '@gatehouse/kit/ids';
import { migrate, sqlOf } from '@gatehouse/nest-kit/database';
import { Client } from 'pg';
import { AUDIT_TABLE } from '../src/events/audit/audit-event.js';
import { createDataSource } from '../src/data-source.js';
import { LOAD_IMPORTED } from '../src/store/keys/keys.sql.js';
import { createKeyDatabase } from './key-database.js';

let database: TestDatabase;
let client: Client;

beforeAll(async () => {
  database = await createKeyDatabase();
  client = new Client(database.url);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const tables = async (): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'keys'
      AND table_name !~ '_\\d{8}$' ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
};

describe('migrations', () => {
  it('run down and up again, and are idempotent', async () => {
    const all = await tables();
    expect(all).toEqual(expect.arrayContaining(['api_keys', 'audit_events', 'events']));
    expect(await migrate(createDataSource(database.url), 'up')).toEqual([]);
    expect(await migrate(createDataSource(database.url), 'down')).not.toEqual([]);
    expect(await tables()).toEqual(['migration_versions', 'migrations']);
    expect(await migrate(createDataSource(database.url), 'down')).toEqual([]);
    await Promise.all([
      migrate(createDataSource(database.url), 'up'),
      migrate(createDataSource(database.url), 'up'),
    ]);
    expect(await tables()).toEqual(all);
  });
});

describe('keys.api_keys with 20,000 rows', () => {
  beforeAll(async () => {
    await client.query(`
      INSERT INTO keys.api_keys (key_id, kind, name, actor_id, scopes, metadata, visibility,
        allowed_cidrs, secret_hash, key_preview, create_time, update_time, expire_time, revoke_time, tags)
      SELECT md5(n::text), 'issued', 'name_' || n % 2000, 'actor_' || n % 1000, '{}', '{}',
        CASE WHEN n % 400 = 0 THEN 2 ELSE 1 END, '{}',
        decode(md5(n::text) || md5(n::text), 'hex'), '', at, at, at + interval '1 year',
        CASE WHEN n % 500 = 0 THEN at END,
        CASE WHEN n % 400 = 1 THEN ARRAY['eu', 'tag_' || n % 1000] ELSE '{}' END
      FROM generate_series(1, 20000) AS n, LATERAL (SELECT now() - n * interval '1 second' AS at) t`);
    await client.query('ANALYZE keys.api_keys');
  });

  const planOf = async (where: string, order = 'create_time'): Promise<string> => {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT * FROM keys.api_keys WHERE kind = 'issued' AND ${where}
       ORDER BY ${order} DESC, key_id DESC LIMIT 51`,
    );
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };

  it.each([
    ['true', 'api_keys_newest'],
    [`(create_time, key_id) < (now() - interval '1 hour', 'x')`, 'api_keys_newest'],
    [`actor_id = 'actor_7'`, 'api_keys_actor'],
    [`actor_id = 'actor_7' AND revoke_time IS NULL AND expire_time > now()`, 'api_keys_actor'],
    ['revoke_time IS NOT NULL', 'api_keys_revoked'],
    ['revoke_time IS NULL AND expire_time > now()', 'api_keys_newest'],
    ['revoke_time IS NULL AND expire_time <= now()', 'api_keys_expire_time'],
    [`tags <> '{}' AND tags @> ARRAY['tag_401']`, 'api_keys_tags'],
  ])('a page of %s uses the index %s', async (where, index) => {
    const plan = await planOf(where);
    expect(plan).toContain(index);
    expect(plan).not.toContain('Seq Scan');
  });

  it.each([
    [`name = 'name_7'`, 'create_time', 'api_keys_name'],
    ['visibility = 2', 'create_time', 'api_keys_visibility'],
    [`create_time < now() - interval '1 hour'`, 'create_time', 'api_keys_newest'],
    [`expire_time < now() + interval '360 days'`, 'expire_time', 'api_keys_expire_time'],
    [
      `expire_time > now() AND (expire_time, key_id) < (now() + interval '364 days', 'x')`,
      'expire_time',
      'api_keys_expire_time',
    ],
  ])('a page of %s in the order of %s reads the index %s without sorting', async (...each) => {
    const [where, order, index] = each;
    const plan = await planOf(where, order);
    expect(plan).toContain(`using ${index}`);
    expect(plan).not.toMatch(/Sort|Filter/);
  });

  it('finds an imported key by its hashes with one index', async () => {
    const hashes = `ARRAY[sha256('a'), sha256('b')]`;
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN ${LOAD_IMPORTED.text.replace('$1', hashes)}`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('api_keys_imported');
    expect(plan).not.toContain('Seq Scan');
  });
});

describe('keys.audit_events', () => {
  const events = (count: number, atMs: number) =>
    Array.from({ length: count }, (_, index) => ({
      event_id: uuidv7(atMs + index),
      type: KeyEvents.issued,
      key_id: 'k',
      old_key_id: '',
      actor_id: 'a',
      caller: 'c',
      ip: '',
      request_id: 'r',
      details: {},
      create_time: new Date(atMs + index).toISOString(),
    }));

  it('cannot be changed, nor deleted before they are seven days old', async () => {
    const dataSource = await createDataSource(database.url).initialize();
    try {
      const repository = new AuditEvents(sqlOf(dataSource), AUDIT_TABLE);
      await repository.insert(events(1, Date.now() - 6.9 * 86_400_000));
      for (const attempt of [
        `UPDATE keys.audit_events SET caller = 'somebody else'`,
        'DELETE FROM keys.audit_events',
        'TRUNCATE keys.audit_events',
      ]) {
        await expect(client.query(attempt)).rejects.toMatchObject({ code: '42501' });
      }
      expect(await repository.list({ equal: { caller: 'c' }, limit: 10 })).toHaveLength(1);
    } finally {
      await dataSource.destroy();
    }
  });

  it('are deleted by age in batches, without reading the others', async () => {
    const dataSource = await createDataSource(database.url).initialize();
    try {
      const repository = new AuditEvents(sqlOf(dataSource), AUDIT_TABLE);
      const momentMs = Date.now() - 8 * 86_400_000;
      await repository.insert(events(6_000, momentMs - 6_000));
      await repository.insert(events(10_000, momentMs));
      await client.query('ANALYZE keys.audit_events');
      const moment = new Date(momentMs);
      expect(await repository.deleteBefore(moment)).toBe(6_000);
      expect(await repository.deleteBefore(moment)).toBe(0);
      const [oldest] = (await repository.list({ equal: {}, limit: 20_000 })).slice(-1);
      expect(oldest?.create_time).toBe(moment.toISOString());
      const { rows } = await client.query<{ 'QUERY PLAN': [object] }>(
        `EXPLAIN (ANALYZE, FORMAT JSON) ${repository.deletion.text.replace('$1', `'${uuidv7Bound(moment)}'`)}`,
      );
      expect(JSON.stringify(rows)).toMatch(/"Index Cond":"\(event_id < /);
      expect(JSON.stringify(rows)).not.toContain('Rows Removed by Filter');
    } finally {
      await dataSource.destroy();
    }
  });
});
