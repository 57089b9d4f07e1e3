/** Statements of `dsync.workspace_push` and `dsync.workspace_channels`. */
import { type Statement } from '@gatehouse/kit/sql';
import { READABLE_CONNECTION } from '../../connections/connection.sql.js';

const UNLEASED = '(p.leased_until IS NULL OR p.leased_until < now())';
/** As for scheduled runs: what needs authorization is left alone. */
const READABLE = `d.type = 'workspace' AND d.deleted_at IS NULL AND NOT d.deactivated
  AND EXISTS (SELECT FROM dsync.workspace_connections c WHERE c.directory_id = d.id
    AND ${READABLE_CONNECTION})`;
const HAS_CHANNELS = `EXISTS (SELECT FROM dsync.workspace_channels h WHERE h.directory_id = d.id)`;

/** The channel of a notification, read by its primary key. */
export const FIND_CHANNEL: Statement = {
  name: 'dsync_find_workspace_channel',
  text: `SELECT h.directory_id AS "directoryId", h.token_sha256 AS "tokenSha256", c.provider,
      p.run_due_at IS NOT NULL AS "isDue"
    FROM dsync.workspace_channels h
    JOIN dsync.workspace_connections c ON c.directory_id = h.directory_id
    JOIN dsync.workspace_push p ON p.directory_id = h.directory_id
    WHERE h.id = $1`,
};

/** Providers send a change as several notifications: the run waits for `$2` seconds. */
export const HINT: Statement = {
  name: 'dsync_hint_workspace_change',
  text: `UPDATE dsync.workspace_push SET run_due_at = now() + $2::float * interval '1 second'
    WHERE directory_id = $1 AND run_due_at IS NULL`,
};

export const CHECK_NOW: Statement = {
  name: 'dsync_check_workspace_channels',
  text: `UPDATE dsync.workspace_push SET check_at = now() WHERE directory_id = $1 AND check_at > now()`,
};

/**
 * A run of each directory with a due change, unless it has an unfinished run or had a pushed one within
 * `$3` seconds: phase, counts. What arrives while a run is under way stays due until the run has ended.
 */
export const START_PUSHED: Statement = {
  text: `WITH due AS (
      SELECT p.directory_id FROM dsync.workspace_push p
      JOIN dsync.directories d ON d.id = p.directory_id
      WHERE p.run_due_at <= now() AND ${READABLE}
        AND (p.pushed_at IS NULL OR p.pushed_at <= now() - $3::float * interval '1 second')
        AND NOT EXISTS (SELECT FROM dsync.workspace_runs u WHERE u.directory_id = p.directory_id
          AND u.state IN ('queued', 'listing', 'applying', 'held'))
      ORDER BY p.run_due_at LIMIT 1000 FOR UPDATE OF p SKIP LOCKED),
    started AS (
      INSERT INTO dsync.workspace_runs (id, directory_id, trigger, state, phase, position, counts)
      SELECT dsync.uuid_v7(), directory_id, 'push', 'queued', $1, '', $2 FROM due
      ON CONFLICT (directory_id) WHERE state IN ('queued', 'listing', 'applying', 'held') DO NOTHING
      RETURNING directory_id)
    UPDATE dsync.workspace_push p SET run_due_at = NULL, pushed_at = now()
    FROM started s WHERE p.directory_id = s.directory_id`,
};

/** Directories that can be read and are not watched yet. */
export const ADD_DIRECTORIES: Statement = {
  text: `INSERT INTO dsync.workspace_push (directory_id)
    SELECT d.id FROM dsync.directories d
    WHERE ${READABLE}
      AND NOT EXISTS (SELECT FROM dsync.workspace_push p WHERE p.directory_id = d.id)
    LIMIT 1000 ON CONFLICT DO NOTHING`,
};

/**
 * Takes the lease of one directory whose channels are due for a check, or that is gone or deactivated
 * and still has channels: holder, seconds.
 */
export const CLAIM: Statement = {
  text: `UPDATE dsync.workspace_push q SET leased_by = $1,
      leased_until = now() + $2::float * interval '1 second'
    FROM (SELECT p.directory_id, d.deleted_at IS NULL AND NOT d.deactivated AS "isLive"
      FROM dsync.workspace_push p JOIN dsync.directories d ON d.id = p.directory_id
      WHERE ${UNLEASED} AND (p.check_at <= now() AND ${READABLE}
        OR (d.deleted_at IS NOT NULL OR d.deactivated) AND ${HAS_CHANNELS})
      ORDER BY p.check_at LIMIT 1 FOR UPDATE OF p SKIP LOCKED) due
    WHERE q.directory_id = due.directory_id
    RETURNING q.directory_id AS "directoryId", q.setbacks, due."isLive"`,
};

/** Ends a check: directory, holder, seconds until the next, setbacks, error, end of the channels. */
export const FINISH: Statement = {
  text: `UPDATE dsync.workspace_push SET leased_by = NULL, leased_until = NULL,
      check_at = now() + $3::float * interval '1 second', setbacks = $4, error = $5,
      active_until = CASE WHEN $5::text IS NULL THEN $6::timestamptz ELSE active_until END
    WHERE directory_id = $1 AND leased_by = $2`,
};

/** Gives a directory back whose check did not end. */
export const RELEASE: Statement = {
  text: `UPDATE dsync.workspace_push SET leased_by = NULL, leased_until = NULL
    WHERE directory_id = $1 AND leased_by = $2`,
};

export const CHANNELS: Statement = {
  text: `SELECT id, topic, watched, provider_id AS "providerId" FROM dsync.workspace_channels
    WHERE directory_id = $1 ORDER BY created_at, id`,
};

/** Nothing if another process has taken the directory over: holder, then the values of the channel. */
export const INSERT_CHANNEL: Statement = {
  text: `INSERT INTO dsync.workspace_channels (id, directory_id, topic, watched, token_sha256)
    SELECT $3, $1, $4, $5, $6 FROM dsync.workspace_push p
    WHERE p.directory_id = $1 AND p.leased_by = $2 RETURNING id`,
};

export const GRANT: Statement = {
  text: `UPDATE dsync.workspace_channels SET provider_id = $2, expires_at = $3 WHERE id = $1`,
};

export const DELETE_CHANNEL: Statement = {
  text: 'DELETE FROM dsync.workspace_channels WHERE id = $1',
};
