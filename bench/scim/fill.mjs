// @ts-check
/**
 * Directories with many users, written by a few statements instead of a million requests.
 */
import { createDirectory, openDirectorySync } from './ours.mjs';

/** @typedef {import('typeorm').DataSource} DataSource */

/**
 * @param {string} url of a migrated database
 * @param {number} users
 * @returns {Promise<import('./ours.mjs').Place>}
 */
export async function fillUsers(url, users) {
  const { dataSource, sync } = await openDirectorySync(url);
  try {
    const directory = await createDirectory(sync);
    await withoutIndexes(dataSource, 'users', (query) => query(USERS, [directory.id, users]));
    await settle(dataSource);
    return { url, directory };
  } finally {
    await dataSource.destroy();
  }
}

/**
 * @param {string} url of a migrated database
 * @param {number[]} sizes of the groups to make
 * @returns {Promise<{ place: import('./ours.mjs').Place, groupIds: string[], userIds: string[] }>}
 *   `userIds`: users that are in none of the groups
 */
export async function fillGroups(url, sizes) {
  const spare = 1_000;
  const place = await fillUsers(url, Math.max(...sizes) + spare);
  const { dataSource, sync } = await openDirectorySync(url);
  const { id: directoryId, secret: apiSecret } = place.directory;
  try {
    /** @type {string[]} */
    const groupIds = [];
    for (const size of sizes) {
      const { data } = await sync.requests.handle({
        method: 'POST',
        resourceType: 'groups',
        directoryId,
        apiSecret,
        body: { displayName: `Group of ${size}` },
      });
      const id = String(data?.['id']);
      await dataSource.query(MEMBERS, [directoryId, id, size]);
      await dataSource.query(COUNTED, [directoryId, id, size]);
      groupIds.push(id);
    }
    await settle(dataSource);
    const rows = await dataSource.query(SPARE, [directoryId, spare]);
    return { place, groupIds, userIds: rows.map((/** @type {{ id: string }} */ { id }) => id) };
  } finally {
    await dataSource.destroy();
  }
}

/**
 * @param {import('./ours.mjs').Place} place
 * @param {number} row a multiple of 20,000
 * @returns {Promise<string>} the cursor of the page that begins after so many users
 */
export async function cursorAt({ url, directory }, row) {
  const { dataSource, sync } = await openDirectorySync(url);
  const count = 20_000;
  try {
    let cursor = '';
    for (let passed = 0; passed < row; passed += count) {
      const { data } = await sync.requests.handle({
        method: 'GET',
        resourceType: 'users',
        directoryId: directory.id,
        apiSecret: directory.secret,
        query: { cursor, count, attributes: 'id' },
      });
      cursor = String(data?.['nextCursor']);
    }
    return cursor;
  } finally {
    await dataSource.destroy();
  }
}

/**
 * Rows go in many times faster while only the constraints watch.
 * @param {DataSource} dataSource
 * @param {string} table
 * @param {(query: (sql: string, parameters?: unknown[]) => Promise<unknown>) => Promise<unknown>} work
 */
async function withoutIndexes(dataSource, table, work) {
  await unhurried(dataSource, async (query) => {
    /** @type {{ name: string, definition: string }[]} */
    const indexes = await query(INDEXES, [table]);
    for (const { name } of indexes) await query(`DROP INDEX ${name}`);
    await work(query);
    for (const { definition } of indexes) await query(definition);
  });
}

/** Statistics and visibility as a database has them that was filled over months. @param {DataSource} dataSource */
function settle(dataSource) {
  return unhurried(dataSource, async (query) => {
    await query('VACUUM (ANALYZE) dsync.users, dsync.groups, dsync.group_members');
    await query('CHECKPOINT');
  });
}

/**
 * On one connection, without the time limit of a service's statements.
 * @param {DataSource} dataSource
 * @param {(query: (sql: string, parameters?: unknown[]) => Promise<any>) => Promise<unknown>} work
 */
async function unhurried(dataSource, work) {
  const runner = dataSource.createQueryRunner();
  const query = (/** @type {string} */ sql, /** @type {unknown[]} */ parameters = []) =>
    runner.query(sql, parameters);
  try {
    await query('SET statement_timeout = 0');
    await work(query);
  } finally {
    await query('RESET statement_timeout');
    await runner.release();
  }
}

// Not those of keys: foreign keys hold on to them.
const INDEXES = `SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition
  FROM pg_index i
  WHERE i.indrelid = ('dsync.' || $1)::regclass
    AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid)`;

// Ids in the order of creation, as those of version 7 are.
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
