import { eventLogStatements, OPERATIONS_SOURCE } from '@gatehouse/delivery';
import { type DirectoryNoticeType } from '@gatehouse/schemas';
import { type SqlExecutor } from '@gatehouse/kit/sql';
import { DSYNC_SCHEMA } from '../database/schema.js';
import { type Directory } from './directory.entity.js';

/** The directory data that a notice contains. */
export type NoticedDirectory = Pick<Directory, 'id' | 'name' | 'tenant' | 'product'>;

const { insertOne: INSERT_NOTICE } = eventLogStatements(DSYNC_SCHEMA);

/** Logs an event about a directory for the operations endpoint. */
export async function insertNotice(
  sql: SqlExecutor,
  type: DirectoryNoticeType,
  { id, name, tenant, product }: NoticedDirectory,
  details: object = {},
): Promise<void> {
  const data = JSON.stringify({ directory_id: id, name, tenant, product, ...details });
  await sql.rows(INSERT_NOTICE, [OPERATIONS_SOURCE, type, data]);
}
