/** Statements about tokens of changes, which are in the rows of their runs. */
import { type Statement } from '@gatehouse/kit/sql';

/**
 * The token that a scheduled or notified run, `$1`, asks with, and when the last listing began. Only
 * the run right before counts: it must have stored all of its listing, with the same settings, and the
 * listing must not be older than `$2` seconds. Whatever else happened to the directory needs a listing.
 */
export const FIND_TOKEN: Statement = {
  text: `SELECT p.change_token AS token, coalesce(p.unchanged_since, p.started_at) AS since
    FROM dsync.workspace_runs r
    CROSS JOIN LATERAL (SELECT * FROM dsync.workspace_runs b
      WHERE b.directory_id = r.directory_id AND b.id <> r.id
      ORDER BY b.finished_at DESC LIMIT 1) p
    WHERE r.id = $1 AND r.trigger IN ('schedule', 'push') AND p.change_token IS NOT NULL
      AND p.state = 'succeeded' AND p.hold_reasons = '[]' AND p.counts ->> 'failed' = '0'
      AND p.settings = r.settings
      AND coalesce(p.unchanged_since, p.started_at) > now() - $2::float * interval '1 second'`,
};

/** Only the token of the last run, `$2`, can be used again, if it succeeded: directory, run. */
export const FORGET_TOKENS: Statement = {
  text: `UPDATE dsync.workspace_runs SET change_token = NULL
    WHERE directory_id = $1 AND change_token IS NOT NULL AND (id <> $2 OR state <> 'succeeded')`,
};
