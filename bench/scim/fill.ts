/** Fills directories with many users by a few statements instead of a million requests. */
import { type DataSource } from 'typeorm';
import { createDirectory, type FilledDirectory, openDirectorySync } from './ours.js';

type Query = <Row = unknown>(sql: string, parameters?: unknown[]) => Promise<Row[]>;

/** `url` names a migrated database. */
export function fillUsers(url: string, users: number): Promise<FilledDirectory> {
  return withDirectorySync(url, async ({ dataSource, sync }) => {
    const directory = await createDirectory(sync);
    await withoutTimeout(dataSource, async (query) => {
      // Rows go in many times faster while only the constraints are checked.
      const indexes = await query<{ name: string; definition: string }>(INDEXES);
      for (const { name } of indexes) await query(`DROP INDEX ${name}`);
      await query(USERS, [directory.id, users]);
      for (const { definition } of indexes) await query(definition);
    });
    await settle(dataSource);
    return { url, directory };
  });
}

/**
 * Creates groups of the given sizes in a new directory. `userIds` are users in none of them.
 * `url` names a migrated database.
 */
export async function fillGroups(url: string, sizes: number[]) {
  const spare = 1_000;
  const filled = await fillUsers(url, Math.max(...sizes) + spare);
  const { id: directoryId, secret: apiSecret } = filled.directory;
  return withDirectorySync(url, async ({ dataSource, sync }) => {
    const groupIds: string[] = [];
    for (const size of sizes) {
      const { data } = await sync.requests.handle({
        method: 'POST',
        resourceType: 'groups',
        directoryId,
        apiSecret,
        body: { displayName: `Group of ${size}` },
      });
      const id = (data as { id: string }).id;
      await dataSource.query(MEMBERS, [directoryId, id, size]);
      await dataSource.query(COUNTED, [directoryId, id, size]);
      groupIds.push(id);
    }
    await settle(dataSource);
    const rows = await dataSource.query<{ id: string }[]>(SPARE, [directoryId, spare]);
    return { filled, groupIds, userIds: rows.map(({ id }) => id) };
  });
}

/** The cursor of the page after `row` users, a multiple of 10,000. */
export function cursorAt({ url, directory }: FilledDirectory, row: number): Promise<string> {
  const count = 10_000;
  return withDirectorySync(url, async ({ sync }) => {
    let cursor = '';
    for (let passed = 0; passed < row; passed += count) {
      const { data } = await sync.requests.handle({
        method: 'GET',
        resourceType: 'users',
        directoryId: directory.id,
        apiSecret: directory.secret,
        query: { cursor, count, attributes: 'id' },
      });
      cursor = (data as { nextCursor: string }).nextCursor;
    }
    return cursor;
  });
}

async function withDirectorySync<T>(
  url: string,
  work: (opened: Awaited<ReturnType<typeof openDirectorySync>>) => Promise<T>,
): Promise<T> {
  const opened = await openDirectorySync(url);
  try {
    return await work(opened);
  } finally {
    await opened.dataSource.destroy();
  }
}

/** Gives the tables the statistics and the visibility map of a database filled over months. */
function settle(dataSource: DataSource): Promise<void> {
  return withoutTimeout(dataSource, async (query) => {
    await query('VACUUM (ANALYZE) dsync.users, dsync.groups, dsync.group_members');
    await query('CHECKPOINT');
  });
}

/** Runs statements on one connection, without the service's time limit. */
async function withoutTimeout(
  dataSource: DataSource,
  work: (query: Query) => Promise<void>,
): Promise<void> {
  const runner = dataSource.createQueryRunner();
  const query: Query = (sql, parameters) => runner.query(sql, parameters);
  try {
    await query('SET statement_timeout = 0');
    await work(query);
  } finally {
    await query('RESET statement_timeout');
    await runner.release();
  }
}

// Without those of keys, which foreign keys depend on.
const INDEXES = `SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition
  FROM pg_index i
  WHERE i.indrelid = 'dsync.users'::regclass
    AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid)`;

// Ids in the order of creation, like those of version 7.
const USERS = `INSERT INTO dsync.users (directory_id, id, user_name, user_name_lower, external_id,
    display_name, display_name_lower, emails_lower, first_name, last_name, email, active, raw)
  SELECT $1::uuid, ('0199' || lpad(to_hex(n), 8, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid,
    name, name, 'ext-' || name, 'Bench Person', 'bench person', ARRAY[name], 'Bench', 'Person',
    name, true, jsonb_build_object(
      'schemas', jsonb_build_array('urn:ietf:params:scim:schemas:core:2.0:User'),
      'userName', name,
      'name', jsonb_build_object('givenName', 'Bench', 'familyName', 'Person'),
      'emails', jsonb_build_array(jsonb_build_object('primary', true, 'value', name, 'type', 'work')),
      'displayName', 'Bench Person', 'locale', 'en-US', 'externalId', 'ext-' || name, 'active', true)
  FROM (SELECT n, 'filled-' || n || '@bench.example' AS name
    FROM generate_series(1, $2::integer) AS n) AS numbered`;

const MEMBERS = `INSERT INTO dsync.group_members (directory_id, group_id, user_id)
  SELECT directory_id, $2, id FROM dsync.users WHERE directory_id = $1 ORDER BY id LIMIT $3`;

const COUNTED = `UPDATE dsync.groups SET member_count = $3 WHERE directory_id = $1 AND id = $2`;

const SPARE = `SELECT id FROM dsync.users WHERE directory_id = $1 ORDER BY id DESC LIMIT $2`;
