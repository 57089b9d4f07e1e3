import { type SqlExecutor, type Statement } from '@gatehouse/kit/sql';
import { Injectable } from '@nestjs/common';
import { keyOfRow, type KeyRecord, type KeyRow } from './key.record.js';
import { KEY_COLUMNS } from './keys.sql.js';

/** Key ids. One order everywhere, because of deadlocks. */
const LOCK: Statement = {
  text: `
    SELECT ${KEY_COLUMNS}, exposed_places FROM keys.api_keys WHERE key_id = ANY ($1)
    ORDER BY key_id FOR UPDATE`,
};

/** Keys with new places, as JSON; time. What others have seen stays revoked. */
const ADD: Statement = {
  text: `
    UPDATE keys.api_keys AS stored
    SET exposed_places = coalesce(stored.exposed_places, '{}') || added.places,
      undelete_until = NULL, update_time = $2
    FROM jsonb_to_recordset($1::jsonb) AS added (key_id text, places text[])
    WHERE stored.key_id = added.key_id`,
};

/** Where keys were found, as hashes. */
@Injectable()
export class ExposuresRepository {
  /** Locks the keys that exist, with the places that are known. */
  async lock(
    sql: SqlExecutor,
    keyIds: readonly string[],
  ): Promise<{ key: KeyRecord; known: ReadonlySet<string> }[]> {
    const rows = await sql.rows<KeyRow & { exposed_places: string[] | null }>(LOCK, [keyIds]);
    return rows.map((row) => ({ key: keyOfRow(row), known: new Set(row.exposed_places ?? []) }));
  }

  /** Adds places to keys that `lock` has locked. */
  async add(
    sql: SqlExecutor,
    found: readonly { keyId: string; places: readonly { hash: string }[] }[],
  ): Promise<void> {
    const added = found.map(({ keyId, places }) => ({
      key_id: keyId,
      places: places.map(({ hash }) => hash),
    }));
    await sql.rows(ADD, [JSON.stringify(added), new Date()]);
  }
}
