/**
 * Functions that read the log by its index, in order, however the log is distributed. PostgreSQL plans
 * a prepared statement for the average source: where that source has few events, it reads and sorts all
 * events of a source that is far behind, for each batch (ADR 0042).
 */

/** Nothing is left to choose but the index of a source, merged over the days. */
const IN_ORDER_OF_INDEX = `SET enable_sort = off SET enable_seqscan = off SET enable_bitmapscan = off
  SET plan_cache_mode = force_generic_plan`;

/** @returns the statements that create the functions, in order */
export function createOrderedReads(schema: string): string[] {
  return [
    `CREATE FUNCTION ${schema}.events_in_order(
      source uuid, after bigint, up_to bigint, since timestamptz, only_types text[], most integer)
      RETURNS SETOF ${schema}.events LANGUAGE plpgsql STABLE ROWS 100
      ${IN_ORDER_OF_INDEX}
      AS $$ BEGIN
        RETURN QUERY SELECT e.* FROM ${schema}.events e
          WHERE e.source_id = source AND e.sequence > after AND e.sequence <= up_to
            AND e.created_at >= since AND (only_types IS NULL OR e.type = ANY (only_types))
          ORDER BY e.sequence LIMIT most;
      END $$`,

    // The endpoints with events before them, at most so many, each with the time of its next event.
    `CREATE FUNCTION ${schema}.lanes_behind(most integer, transaction_time_max interval)
      RETURNS TABLE (state text, next_attempt_at timestamptz, oldest_at timestamptz)
      LANGUAGE plpgsql STABLE ROWS 100
      ${IN_ORDER_OF_INDEX}
      AS $$ BEGIN
        RETURN QUERY SELECT e.state, e.next_attempt_at::timestamptz, oldest.created_at::timestamptz
          FROM (SELECT * FROM ${schema}.endpoints
            WHERE wanted > cursor AND enabled AND endpoints.state <> 'stopped' LIMIT most) e
          LEFT JOIN LATERAL (SELECT l.created_at FROM ${schema}.events l
            WHERE l.source_id = e.source_id AND l.sequence > e.cursor
              AND l.created_at >= e.cursor_at - transaction_time_max
            ORDER BY l.sequence LIMIT 1) oldest ON true;
      END $$`,
  ];
}
