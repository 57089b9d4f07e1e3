/** Finds keys by the beginning of their names, and actors by the beginning of their ids, in any case. */
import { Sql, type Statement } from '@gatehouse/kit/sql';
import { Injectable } from '@nestjs/common';
import { type KeyRecord } from './key.record.js';
import { type KeyKind } from './key.types.js';

/** The part of a key that identifies it to a person. */
export type KeySummary = Pick<
  KeyRecord,
  'keyId' | 'kind' | 'name' | 'actorId' | 'keyPreview' | 'revokeTime' | 'expireTime' | 'pauseTime'
>;

/** As in the indexes, which compare by bytes. */
const folded = (text: string) => `(lower(${text} COLLATE "und-x-icu") COLLATE "C")`;
const NAME = folded('name');
const ACTOR = folded('actor_id');
/** The actor id itself: ids that differ in their case only are different actors. */
const ACTOR_ID = '(actor_id COLLATE "C")';

/** A range, which a plan for any values can read from an index. It ends at the last code point. */
const beginsWith = (text: string, prefix: string) =>
  `${text} >= ${folded(prefix)} AND ${text} < ${folded(prefix)} || chr(1114111)`;

/** Kind, beginning of the name, limit. */
export const FIND_BY_NAME: Statement = {
  name: 'keys_find_by_name',
  text: `
    SELECT key_id AS "keyId", kind, name, actor_id AS "actorId", key_preview AS "keyPreview",
      revoke_time AS "revokeTime", expire_time AS "expireTime", pause_time AS "pauseTime"
    FROM keys.api_keys
    WHERE kind = $1 AND name <> '' AND ${beginsWith(NAME, '$2::text')}
    ORDER BY ${NAME}, key_id DESC LIMIT $3`,
};

/** Beginning of the id, limit. Each step skips the other keys of an actor. */
export const FIND_ACTORS: Statement = {
  name: 'keys_find_actors',
  text: `
    WITH RECURSIVE found AS (
      (SELECT ${ACTOR} AS folded, ${ACTOR_ID} AS actor_id, 1 AS place FROM keys.api_keys
        WHERE actor_id <> '' AND ${beginsWith(ACTOR, '$1::text')}
        ORDER BY ${ACTOR}, ${ACTOR_ID} LIMIT 1)
      UNION ALL
      SELECT following.*, found.place + 1 FROM found, LATERAL (
        SELECT ${ACTOR}, ${ACTOR_ID} FROM keys.api_keys
        WHERE actor_id <> '' AND (${ACTOR}, ${ACTOR_ID}) > (found.folded, found.actor_id)
          AND ${beginsWith(ACTOR, '$1::text')}
        ORDER BY ${ACTOR}, ${ACTOR_ID} LIMIT 1) AS following
      WHERE found.place < $2)
    SELECT actor_id AS "actorId" FROM found ORDER BY place`,
};

@Injectable()
export class KeySearchRepository {
  constructor(private readonly sql: Sql) {}

  /** In the order of names; of equal ones, the newest key first. */
  findByName(kind: KeyKind, prefix: string, limit: number): Promise<KeySummary[]> {
    return this.sql.rows(FIND_BY_NAME, [kind, prefix, limit]);
  }

  /** The ids of actors that have a key, in order. */
  async findActors(prefix: string, limit: number): Promise<string[]> {
    const rows = await this.sql.rows<{ actorId: string }>(FIND_ACTORS, [prefix, limit]);
    return rows.map(({ actorId }) => actorId);
  }
}
