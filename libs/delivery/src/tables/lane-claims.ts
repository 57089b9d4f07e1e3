/**
 * A claim takes a lane and reads its next events in one round trip (ADR 0048). The migrations of services
 * call these functions, so their statements never change; later changes are migrations.
 */

const IN_ORDER_OF_INDEX = `SET enable_sort = off SET enable_seqscan = off SET enable_bitmapscan = off
  SET plan_cache_mode = force_generic_plan`;

/**
 * @param source an expression of type json that returns what the owner needs of source `lane.source_id` to make
 *   the bodies of its events
 * @returns the statements that add claims to the tables of `createDeliveryTables`, in order
 */
export function addLaneClaims(schema: string, source = 'NULL::json'): string[] {
  const eventsWhere = (bounds: string) =>
    `SELECT e.* FROM ${schema}.events e
      WHERE e.source_id = source AND e.sequence > after AND e.sequence <= up_to
        AND e.created_at >= since ${bounds} AND (only_types IS NULL OR e.type = ANY (only_types))
      ORDER BY e.sequence LIMIT most`;

  return [
    // Replaces events_in_order once a day, so that its plan names the partitions of yesterday, today and
    // tomorrow: a plan for all of them locks each, and most lanes need no other.
    `CREATE FUNCTION ${schema}.bound_ordered_reads() RETURNS void
      LANGUAGE plpgsql VOLATILE AS $$
      DECLARE
        today date := (now() AT TIME ZONE 'UTC')::date;
        first text := (today - 1) || ' 00:00Z';
        last text := (today + 2) || ' 00:00Z';
      BEGIN
        PERFORM pg_advisory_xact_lock(hashtextextended('${schema}.bound_ordered_reads', 0));
        IF (SELECT position(first IN prosrc) > 0 FROM pg_proc
            WHERE oid = '${schema}.events_in_order'::regproc) THEN
          RETURN;
        END IF;
        EXECUTE format($replacement$
          CREATE OR REPLACE FUNCTION ${schema}.events_in_order(
            source uuid, after bigint, up_to bigint, since timestamptz, only_types text[], most integer)
            RETURNS SETOF ${schema}.events LANGUAGE plpgsql STABLE ROWS 100
            ${IN_ORDER_OF_INDEX}
            AS $body$ BEGIN
              IF since >= %1$L AND now() < %2$L THEN
                RETURN QUERY ${eventsWhere('AND e.created_at >= %1$L AND e.created_at < %2$L')};
              ELSE
                RETURN QUERY ${eventsWhere('')};
              END IF;
            END $body$ $replacement$, first, last);
      END $$`,

    `SELECT ${schema}.bound_ordered_reads()`,

    // Claims lanes and reads the next events of each. A lane is leased if it has something to deliver;
    // another run's lane, one that waits or is off, and one without events are not. VOLATILE, because
    // each statement must see what was committed before it: the events are read after the horizon (ADR 0020).
    `CREATE FUNCTION ${schema}.claim_lanes(ids uuid[], sources uuid[], runs uuid[],
        lease interval, transaction_time_max interval, most integer, bytes_max integer, waits boolean)
      RETURNS TABLE (lane ${schema}.endpoints, run uuid, is_leased boolean, horizon bigint, is_blocked boolean,
        has_more boolean, events json, source json)
      LANGUAGE plpgsql VOLATILE ROWS 1 AS $$
      DECLARE
        claimed record;
        newest bigint;
        is_due boolean;
      BEGIN
        IF waits THEN
          PERFORM FROM ${schema}.endpoints e
            WHERE e.id = ids[1] AND e.source_id = sources[1] FOR UPDATE;
        END IF;
        FOR claimed IN
          SELECT e AS lane, w.run_id AS run
          FROM (SELECT DISTINCT ON (u.id, u.source_id) *
            FROM unnest(ids, sources, runs) AS u (id, source_id, run_id)) w
          JOIN ${schema}.endpoints e ON e.id = w.id AND e.source_id = w.source_id
          WHERE e.leased_by IS NULL OR e.leased_by = w.run_id OR e.leased_until < now()
          FOR UPDATE OF e SKIP LOCKED
        LOOP
          lane := claimed.lane;
          run := claimed.run;
          is_due := lane.enabled AND lane.state <> 'stopped' AND lane.next_attempt_at <= now();
          newest := coalesce(pg_sequence_last_value('${schema}.event_sequence'), 0);
          horizon := ${schema}.event_horizon(lane.source_id);
          is_blocked := is_due AND horizon < newest;
          events := NULL;
          has_more := false;
          IF is_due THEN
            SELECT json_agg(json_build_object('id', e.id, 'sequence', e.sequence::text, 'type', e.type,
                  'data', e.data, 'previous', e.previous, 'createdAt', e.created_at,
                  'traceparent', e.traceparent) ORDER BY e.sequence)
                FILTER (WHERE e.position = 1 OR e.bytes <= bytes_max),
                count(*) = most OR coalesce(bool_or(e.position > 1 AND e.bytes > bytes_max), false)
              INTO events, has_more
              FROM (SELECT next.*, row_number() OVER in_order AS position,
                  sum(octet_length(data::text) + coalesce(octet_length(previous::text), 0))
                    OVER in_order AS bytes
                FROM ${schema}.events_in_order(lane.source_id, lane.cursor, horizon,
                  lane.cursor_at - transaction_time_max, lane.types, most) next
                WINDOW in_order AS (ORDER BY sequence)) e;
          END IF;
          source := NULL;
          is_leased := is_due AND (events IS NOT NULL OR lane.open_replays > 0);
          IF is_leased THEN
            source := ${source};
            UPDATE ${schema}.endpoints e SET leased_by = claimed.run, leased_until = now() + lease
              WHERE e.id = lane.id AND e.source_id = lane.source_id;
          ELSIF lane.leased_by IS NOT NULL OR is_due AND lane.types IS NOT NULL AND horizon > lane.cursor THEN
            -- No event up to the horizon has one of its types.
            UPDATE ${schema}.endpoints e SET leased_by = NULL, leased_until = NULL,
                cursor = CASE WHEN is_due AND lane.types IS NOT NULL
                  THEN greatest(e.cursor, horizon) ELSE e.cursor END
              WHERE e.id = lane.id AND e.source_id = lane.source_id;
          END IF;
          RETURN NEXT;
        END LOOP;
      END $$`,
  ];
}

/** @returns the statements that undo `addLaneClaims` */
export function removeLaneClaims(schema: string): string[] {
  return [`DROP FUNCTION ${schema}.claim_lanes`, `DROP FUNCTION ${schema}.bound_ordered_reads`];
}
