/** Groups as the management side reads them: across the directories of a scope, newest first. */
import type { ScimResource } from '@gatehouse/scim';
import { type Executor, type Statement } from '../database/database.js';
import { newestIds, SCOPE_CONDITION, type ScopeFilter, scopeValues } from '../directories/scope.js';

export interface GroupRecord {
  id: string;
  displayName: string;
  raw: ScimResource;
}

const COLUMNS = `g.id, g.display_name AS "displayName", g.raw`;

const SOURCE = `dsync.groups g JOIN dsync.directories d ON d.id = g.directory_id`;

const LIST: Statement = {
  text: `SELECT ${COLUMNS} FROM (${newestIds('groups')}) page
    JOIN dsync.groups g ON g.id = page.id
    ORDER BY g.id DESC`,
};

const FIND: Statement = {
  text: `SELECT ${COLUMNS} FROM ${SOURCE} WHERE ${SCOPE_CONDITION} AND g.id = $4`,
};

export function listGroupRecords(
  executor: Executor,
  scope: ScopeFilter,
  offset: number,
  limit: number,
): Promise<GroupRecord[]> {
  return executor.run<GroupRecord>(LIST, [...scopeValues(scope), offset, limit]);
}

export async function findGroupRecord(
  executor: Executor,
  scope: ScopeFilter,
  id: string,
): Promise<GroupRecord | undefined> {
  const [row] = await executor.run<GroupRecord>(FIND, [...scopeValues(scope), id]);
  return row;
}
