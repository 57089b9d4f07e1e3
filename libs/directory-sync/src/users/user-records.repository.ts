/** Users as the management side reads them: across the directories of a scope, newest first. */
import { type Executor, type Statement } from '../database/database.js';
import { newestIds, SCOPE_CONDITION, type ScopeFilter, scopeValues } from '../directories/scope.js';
import type { UserRow } from './user.types.js';

export type UserRecord = Pick<
  UserRow,
  'id' | 'firstName' | 'lastName' | 'email' | 'active' | 'raw'
> & { attributeMapping: Record<string, string> | null };

const COLUMNS = `u.id, u.first_name AS "firstName", u.last_name AS "lastName", u.email, u.active,
  u.raw, d.attribute_mapping AS "attributeMapping"`;

const SOURCE = `dsync.users u JOIN dsync.directories d ON d.id = u.directory_id`;

const LIST: Statement = {
  text: `SELECT ${COLUMNS} FROM (${newestIds('users')}) page
    JOIN dsync.users u ON u.id = page.id JOIN dsync.directories d ON d.id = u.directory_id
    ORDER BY u.id DESC`,
};

const FIND: Statement = {
  text: `SELECT ${COLUMNS} FROM ${SOURCE} WHERE ${SCOPE_CONDITION} AND u.id = $4`,
};

export function listUserRecords(
  executor: Executor,
  scope: ScopeFilter,
  offset: number,
  limit: number,
): Promise<UserRecord[]> {
  return executor.run<UserRecord>(LIST, [...scopeValues(scope), offset, limit]);
}

export async function findUserRecord(
  executor: Executor,
  scope: ScopeFilter,
  id: string,
): Promise<UserRecord | undefined> {
  const [row] = await executor.run<UserRecord>(FIND, [...scopeValues(scope), id]);
  return row;
}
