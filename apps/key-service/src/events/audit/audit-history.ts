/** What the audit log says about the tokens of an actor, and about how keys came to their state. */
import { uuidv7Bound } from '@gatehouse/kit/ids';
import { type JsonObject } from '@gatehouse/kit/input';
import { Sql, type Statement } from '@gatehouse/kit/sql';
import { KeyEvents } from '@gatehouse/schemas';
import { Injectable } from '@nestjs/common';

const TOKENS_MAX = 50;
/** How many events of an actor are looked at for its tokens: most may be of other types. */
const EVENTS_READ_MAX = 1_000;
/** Between the time of a change and that of its event, in either direction. */
const DELAY_MS_MAX = 60_000;

export const LIST_TOKENS: Statement = {
  text: `
    SELECT details->>'token_id' AS token_id, key_id, details->>'algorithm' AS algorithm,
      details->>'expire_time' AS expire_time, create_time
    FROM (
      SELECT * FROM keys.audit_events WHERE actor_id BETWEEN $1 AND $1
      ORDER BY actor_id, event_id DESC LIMIT ${EVENTS_READ_MAX}) AS newest
    WHERE type = '${KeyEvents.tokenDerived}' ORDER BY event_id DESC LIMIT ${TOKENS_MAX}`,
};

/** Key ids, types of events, and for each the first and the last possible id. */
export const FIND_CHANGES: Statement = {
  text: `
    SELECT change.key_id AS "keyId", event.caller, event.details
    FROM unnest($1::text[], $2::text[], $3::uuid[], $4::uuid[]) AS change (key_id, type, first, last),
    LATERAL (
      SELECT caller, details FROM keys.audit_events
      WHERE key_id = change.key_id AND event_id BETWEEN change.first AND change.last
        AND type = change.type
      ORDER BY event_id DESC LIMIT 1) AS event`,
};

/** A token as the audit log knows it; the token itself is not stored. */
export interface DerivedTokenView {
  token_id: string;
  key_id: string;
  algorithm: string;
  expire_time: string;
  create_time: Date;
}

/** A change of a key, of which the last one of its type is looked for. */
export interface DatedChange {
  readonly keyId: string;
  readonly type: string;
  readonly time: Date;
}

export interface ChangeOrigin {
  readonly keyId: string;
  readonly caller: string;
  readonly details: JsonObject;
}

@Injectable()
export class AuditHistory {
  constructor(private readonly sql: Sql) {}

  /** The tokens that were derived from the keys of an actor lately, newest first. */
  tokensOf(actorId: string): Promise<DerivedTokenView[]> {
    return this.sql.rows(LIST_TOKENS, [actorId]);
  }

  /** By whom keys were changed; without the changes whose events are no longer there. */
  async originsOf(changes: readonly DatedChange[]): Promise<ChangeOrigin[]> {
    if (changes.length === 0) return [];
    const boundOf = (time: Date, delayMs: number) =>
      uuidv7Bound(new Date(time.getTime() + delayMs));
    return this.sql.rows(FIND_CHANGES, [
      changes.map(({ keyId }) => keyId),
      changes.map(({ type }) => type),
      changes.map(({ time }) => boundOf(time, -DELAY_MS_MAX)),
      changes.map(({ time }) => boundOf(time, DELAY_MS_MAX)),
    ]);
  }
}
