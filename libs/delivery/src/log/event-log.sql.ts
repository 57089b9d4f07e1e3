/**
 * Statements of the event log, and the SQL with which the statements of an owner write their events:
 * after the rows that they locked, in the same round trip and transaction. A statement announces
 * itself before it draws a sequence number (ADR 0020).
 */
import { type Statement } from '@gatehouse/kit/sql';

/** The columns of a StoredEvent, of alias `e`. */
export const EVENT_COLUMNS = `e.id, e.sequence, e.type, e.data, e.previous,
  e.created_at AS "createdAt"`;

/**
 * An event may be this much older than one with a lower number: the time of an event is that of its
 * transaction. Generous, so that a clock that is set back loses nothing.
 */
export const TRANSACTION_TIME_MAX = `interval '1 day'`;

/** Among so many events a page looks for a type, so that a rare one does not read the whole log. */
export const LOOKED_MAX = 10_000;

/**
 * The CTE `announced`: announces a writer of the source with this id (a parameter, not a column) by
 * locking the newest sequence number, so that every number drawn afterwards is higher. It reads no table,
 * so it runs where the numbers are drawn, and returns one row of text.
 */
export const announcedCte = (schema: string, sourceId: string) =>
  `announced AS MATERIALIZED (
    SELECT pg_advisory_xact_lock_shared(${schema}.announcement_class(${sourceId}),
      coalesce(pg_sequence_last_value('${schema}.event_sequence'), 0)::bit(32)::integer)::text AS lock)`;

/**
 * Inserts events. `source` is a query with the columns `source_id`, `type`, `data` and `previous`; a
 * CTE of the statement must have announced the writer of each source before. Sequence numbers follow
 * `order`, because PostgreSQL computes the default of a column after sorting.
 */
export const insertEvents = (schema: string, source: string, order = '1') =>
  `INSERT INTO ${schema}.events (source_id, type, data, previous)
    SELECT e.source_id, e.type, e.data, e.previous FROM (${source}) e ORDER BY ${order}
    RETURNING id, sequence, type, data, previous, created_at AS "createdAt"`;

/** A source for `insertEvents`: source id, types, data. */
const MANY_EVENTS = `SELECT $1::uuid AS source_id, n.type, n.data, NULL::json AS previous, n.position
  FROM announced, unnest($2::text[], $3::json[]) WITH ORDINALITY AS n (type, data, position)`;

export function eventLogStatements(schema: string) {
  return {
    /** Writes one event: source id, type, data. */
    insertOne: {
      name: `${schema}_insert_event`,
      text: `WITH ${announcedCte(schema, '$1::uuid')}
        ${insertEvents(schema, `SELECT $1::uuid AS source_id, $2::text AS type, $3::json AS data, NULL::json AS previous FROM announced`)}`,
    },

    /** Writes events in their order: source id, types, data. */
    insertMany: {
      name: `${schema}_insert_events`,
      text: `WITH ${announcedCte(schema, '$1::uuid')},
        inserted AS (${insertEvents(schema, MANY_EVENTS, 'e.position')})
        SELECT id FROM inserted ORDER BY sequence`,
    },

    horizon: {
      name: `${schema}_event_horizon`,
      text: `SELECT ${schema}.event_horizon($1) AS horizon,
        coalesce(pg_sequence_last_value('${schema}.event_sequence'), 0) AS newest`,
    },

    /** Source or null, after, horizon, limit. */
    list: {
      name: `${schema}_list_events`,
      text: `SELECT ${EVENT_COLUMNS}, e.source_id AS "sourceId"
        FROM ${schema}.events_in_order($1, $2, $3, '-infinity', NULL, $4) e ORDER BY e.sequence`,
    },

    /** Sources or null for all, after, horizon, limit. Numbers are positions in this database. */
    listAll: {
      name: `${schema}_list_all_events`,
      text: `SELECT ${EVENT_COLUMNS}, e.source_id AS "sourceId" FROM ${schema}.events e
        WHERE ($1::uuid[] IS NULL OR e.source_id = ANY ($1::uuid[]))
          AND e.sequence > $2 AND e.sequence <= $3
        ORDER BY e.sequence LIMIT $4`,
    },

    /**
     * As `list`, of one type or, with null, of all: source, after, horizon, how many events to look at, type,
     * and a time before which no event after the position was logged, or null. The last event that was looked
     * at comes too, whatever its type, if the log may go on behind it.
     */
    page: {
      name: `${schema}_page_of_events`,
      text: `SELECT ${EVENT_COLUMNS}, e.source_id AS "sourceId",
          e.ordinality = $4::integer AS "isLastLooked"
        FROM ${schema}.events_in_order($1, $2, $3,
          coalesce($6::timestamptz - ${TRANSACTION_TIME_MAX}, '-infinity'), NULL, $4) WITH ORDINALITY e
        WHERE $5::text IS NULL OR e.type = $5 OR e.ordinality = $4::integer
        ORDER BY e.sequence`,
    },

    find: {
      name: `${schema}_find_event`,
      text: `SELECT ${EVENT_COLUMNS}, e.source_id AS "sourceId" FROM ${schema}.events e
        WHERE e.id = $1`,
    },

    /** The number before the first event at or after a time, of a source or, with null, of all. */
    sequenceBefore: {
      text: `SELECT coalesce(
          (SELECT min(sequence) - 1 FROM ${schema}.events
            WHERE created_at >= $1 AND ($2::uuid IS NULL OR source_id = $2)),
          (SELECT last_value FROM ${schema}.event_sequence)) AS sequence`,
    },
  } as const satisfies Record<string, Statement>;
}
