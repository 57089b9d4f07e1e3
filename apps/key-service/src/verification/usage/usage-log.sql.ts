/** Statements that write keys.usage, all repeatable without counting anything twice. */
import { type Statement } from '@gatehouse/kit/sql';
import { USAGE_LEVELS } from '../../store/usage/usage.types.js';

/**
 * Writer, hour, number of the batch, and the columns of its rows. Adds a batch unless it was added before:
 * the numbers of a writer ascend, and the row of the batch is written in the same statement. All writers
 * lock rows in one order.
 */
export const ADD_BATCH: Statement = {
  name: 'keys_usage_add',
  text: `
    WITH added AS (
      INSERT INTO keys.usage_batches AS b (level, at, writer, batch, row_count)
      VALUES (${USAGE_LEVELS.minute}, $2, $1, $3, cardinality($4::smallint[]))
      ON CONFLICT (level, at, writer) DO UPDATE
        SET batch = excluded.batch, row_count = b.row_count + excluded.row_count
        WHERE b.batch < excluded.batch
      RETURNING 1)
    INSERT INTO keys.usage AS u
      (level, series, at, subject, tag, outcome, limit_name, actor_id, count, cost)
    SELECT ${USAGE_LEVELS.minute}, r.* FROM unnest($4::smallint[], $5::timestamptz[], $6::text[],
        $7::text[], $8::smallint[], $9::text[], $10::text[], $11::bigint[], $12::bigint[])
      AS r (series, at, subject, tag, outcome, limit_name, actor_id, count, cost)
    WHERE EXISTS (SELECT FROM added)
    ORDER BY series, at, subject, tag, outcome, limit_name
    ON CONFLICT (level, series, at, subject, tag, outcome, limit_name) DO UPDATE
      SET count = u.count + excluded.count, cost = u.cost + excluded.cost`,
};

/** The condition of an hour (level 1) or a day (level 2) that has to be summed up. */
const IS_DUE = `batch > rolled AND claimed_until < now()
  AND (at + CASE level WHEN ${USAGE_LEVELS.minute} THEN interval '1 hour' ELSE interval '1 day' END
      <= now() OR rolled_at < now() - $1::float8 * level * level * interval '1 second')`;

/**
 * How many seconds the sums of the current hour may be old; four times as many for the current day.
 * Claims the batches of the oldest hour or day that is due.
 */
export const CLAIM_DUE: Statement = {
  text: `
    UPDATE keys.usage_batches SET claimed_until = now() + interval '2 minutes'
    WHERE (level, at) = (SELECT level, at FROM keys.usage_batches WHERE ${IS_DUE}
        ORDER BY level, at LIMIT 1) AND ${IS_DUE}
    RETURNING level, at, writer, batch, row_count AS rows`,
};

const OF_PERIOD = `level = $1 AND at >= $2 AND at < $2::timestamptz + CASE $1::smallint
          WHEN ${USAGE_LEVELS.minute} THEN interval '1 hour' ELSE interval '1 day' END`;

/** Level of the counts, their time. A batch adds to rows that are there, so batches have many times as many. */
export const COUNT_ROWS: Statement = {
  text: `SELECT count(*)::float8 AS rows FROM keys.usage WHERE ${OF_PERIOD}`,
};

/**
 * Level of the counts, their time, how many slices there are, and which. Sums up all counts again, so
 * repeating it changes nothing. Counts only grow, so the greater of two sums is the newer one.
 */
export const ROLL_UP: Statement = {
  text: `
    WITH sums AS (
      INSERT INTO keys.usage AS u
        (level, series, at, subject, tag, outcome, limit_name, actor_id, count, cost)
      SELECT $1::smallint + 1, series, $2, subject, tag, outcome, limit_name, min(actor_id),
        sum(count), sum(cost)
      FROM keys.usage
      WHERE ${OF_PERIOD}
        AND ($3::integer = 1 OR abs(hashtext(subject)::bigint) % $3 = $4::integer)
      GROUP BY series, subject, tag, outcome, limit_name
      ORDER BY series, subject, tag, outcome, limit_name
      ON CONFLICT (level, series, at, subject, tag, outcome, limit_name) DO UPDATE
        SET count = greatest(u.count, excluded.count), cost = greatest(u.cost, excluded.cost)
        WHERE u.count < excluded.count OR u.cost < excluded.cost
      RETURNING 1)
    SELECT count(*)::integer AS rows FROM sums`,
};

/**
 * Level, time, writers, batches, rows. Marks batches as summed up. What was added meanwhile is still due.
 * The day of an hour is then due.
 */
export const FINISH: Statement = {
  text: `
    WITH finished AS (
      UPDATE keys.usage_batches AS b
      SET rolled = greatest(b.rolled, f.batch), rolled_at = now(), claimed_until = '-infinity'
      FROM unnest($3::uuid[], $4::bigint[]) AS f (writer, batch)
      WHERE b.level = $1 AND b.at = $2 AND b.writer = f.writer)
    INSERT INTO keys.usage_batches AS b (level, at, writer, batch, row_count)
    SELECT ${USAGE_LEVELS.hour}, date_trunc('day', $2::timestamptz, 'UTC'),
      '00000000-0000-0000-0000-000000000000', 1, $5::bigint
    WHERE $1 = ${USAGE_LEVELS.minute}
    ON CONFLICT (level, at, writer) DO UPDATE
      SET batch = b.batch + 1, row_count = b.row_count + excluded.row_count`,
};

/** Batches older than any that is written. */
export const DELETE_OLD_BATCHES: Statement = {
  text: `DELETE FROM keys.usage_batches
    WHERE at < now() - interval '7 days' AND (batch = rolled OR at < now() - interval '90 days')`,
};
