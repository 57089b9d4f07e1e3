/** Statements of the `dsync.workspace_runs` table. */
import { type Statement } from '@gatehouse/kit/sql';
import { READABLE_CONNECTION } from '../../connections/connection.sql.js';

const COLUMNS = `r.id, r.directory_id AS "directoryId", r.trigger, r.state, r.phase, r.position,
  r.page_token AS "pageToken", r.second_round AS "secondRound", r.counts, r.pages,
  r.api_calls AS "apiCalls", r.setbacks, r.hold_reasons AS "holdReasons", r.amounts,
  r.change_token AS "changeToken", r.unchanged_since AS "unchangedSince", r.settings, r.error,
  r.created_at AS "createdAt", r.started_at AS "startedAt", r.finished_at AS "finishedAt"`;

const UNFINISHED = `r.state IN ('queued', 'listing', 'applying', 'held')`;
const RUNNABLE = `r.state IN ('queued', 'listing', 'applying')`;
const UNLEASED = '(r.leased_until IS NULL OR r.leased_until < now())';

/** Live workspace directories that take part in runs. */
const SYNCED = `d.type = 'workspace' AND d.deleted_at IS NULL AND NOT d.deactivated`;

/** A run: id, directory, trigger, phase, counts. Nothing if the directory has an unfinished one. */
export const INSERT_RUN: Statement = {
  text: `INSERT INTO dsync.workspace_runs AS r (id, directory_id, trigger, state, phase, position, counts)
    SELECT $1, d.id, $3, 'queued', $4, '', $5 FROM dsync.directories d
    WHERE d.id = $2 AND ${SYNCED}
    ON CONFLICT (directory_id) WHERE state IN ('queued', 'listing', 'applying', 'held') DO NOTHING
    RETURNING ${COLUMNS}`,
};

/**
 * A run of every workspace directory without an unfinished one, at a time of its own within `$4`
 * seconds: trigger, phase, counts. With a time, `$5`, only of directories that are connected or read by access of the service, are older
 * and had no run since.
 */
export const INSERT_RUNS_OF_ALL: Statement = {
  text: `INSERT INTO dsync.workspace_runs AS r (id, directory_id, trigger, state, phase, position,
      counts, not_before)
    SELECT dsync.uuid_v7(), d.id, $1, 'queued', $2, '', $3,
      now() + $4::float * (abs(hashtext(d.id::text)::bigint) % 1000) / 1000 * interval '1 second'
    FROM dsync.directories d WHERE ${SYNCED} AND ($5::timestamptz IS NULL OR d.created_at < $5
      AND EXISTS (SELECT FROM dsync.workspace_connections c
        WHERE c.directory_id = d.id AND ${READABLE_CONNECTION})
      AND NOT EXISTS (SELECT FROM dsync.workspace_runs p
        WHERE p.directory_id = d.id AND p.created_at >= $5))
    ON CONFLICT (directory_id) WHERE state IN ('queued', 'listing', 'applying', 'held') DO NOTHING
    RETURNING r.id, r.directory_id AS "directoryId"`,
};

/** A run that holds removals of a SCIM directory: id, directory, counts, reasons, error. */
export const INSERT_HELD_RUN: Statement = {
  text: `INSERT INTO dsync.workspace_runs (id, directory_id, trigger, state, phase, position, counts,
      hold_reasons, error, started_at)
    VALUES ($1, $2, 'scim', 'held', 'remove_held', '', $3, $4, $5, now())
    ON CONFLICT (directory_id) WHERE state IN ('queued', 'listing', 'applying', 'held') DO NOTHING
    RETURNING id, state`,
};

/** Locks the unfinished run of a directory, so that decisions wait for the transaction. */
export const LOCK_UNFINISHED: Statement = {
  text: `SELECT r.id, r.state FROM dsync.workspace_runs r
    WHERE r.directory_id = $1 AND ${UNFINISHED} FOR SHARE`,
};

export const SYNCED_DIRECTORIES: Statement = {
  text: `SELECT d.id FROM dsync.directories d WHERE ${SYNCED} ORDER BY d.created_at, d.id`,
};

/** Runs of a directory beyond the newest `$2`, at most a thousand at once. */
export const DELETE_OLD_RUNS: Statement = {
  text: `DELETE FROM dsync.workspace_runs WHERE id IN (
      SELECT r.id FROM dsync.workspace_runs r
      WHERE r.directory_id = $1 AND NOT ${UNFINISHED}
      ORDER BY r.id DESC OFFSET $2 LIMIT 1000)`,
};

export const FIND_RUN: Statement = {
  text: `SELECT ${COLUMNS} FROM dsync.workspace_runs r WHERE r.id = $1 AND r.directory_id = $2`,
};

export const FIND_UNFINISHED: Statement = {
  text: `SELECT ${COLUMNS} FROM dsync.workspace_runs r WHERE r.directory_id = $1 AND ${UNFINISHED}`,
};

export const FIND_LAST: Statement = {
  text: `SELECT ${COLUMNS},
      (SELECT max(s.finished_at) FROM dsync.workspace_runs s
        WHERE s.directory_id = $1 AND s.state = 'succeeded') AS "lastSuccessAt",
      (SELECT max(f.finished_at) FROM dsync.workspace_runs f
        WHERE f.directory_id = $1 AND f.state = 'failed') AS "lastErrorAt"
    FROM dsync.workspace_runs r WHERE r.directory_id = $1 ORDER BY r.id DESC LIMIT 1`,
};

/** Newest first: directory, offset, limit. */
export const LIST_RUNS: Statement = {
  text: `SELECT ${COLUMNS} FROM dsync.workspace_runs r WHERE r.directory_id = $1
    ORDER BY r.id DESC OFFSET $2 LIMIT $3`,
};

/** Runs that no process works on and whose time has come, the one that waits longest first. */
export const DUE_RUNS: Statement = {
  text: `SELECT r.id FROM dsync.workspace_runs r
    WHERE ${RUNNABLE} AND r.not_before <= now() AND ${UNLEASED}
    ORDER BY r.not_before LIMIT $1`,
};

/** Takes the lease of a run: id, holder, seconds. A run keeps the settings with which it begins. */
export const CLAIM_RUN: Statement = {
  text: `UPDATE dsync.workspace_runs r SET leased_by = $2,
      leased_until = now() + $3::float * interval '1 second',
      state = CASE r.state WHEN 'queued' THEN 'listing' ELSE r.state END,
      started_at = coalesce(r.started_at, now()),
      settings = coalesce(r.settings, (SELECT s.settings FROM dsync.workspace_settings s
        WHERE s.directory_id = r.directory_id), '{}')
    WHERE r.id = $1 AND ${RUNNABLE} AND r.not_before <= now() AND ${UNLEASED}
    RETURNING ${COLUMNS}`,
};

export const RENEW_LEASE: Statement = {
  text: `UPDATE dsync.workspace_runs r SET leased_until = now() + $3::float * interval '1 second'
    WHERE r.id = $1 AND r.leased_by = $2 AND ${RUNNABLE}
    RETURNING (SELECT d.deleted_at IS NULL AND NOT d.deactivated FROM dsync.directories d
      WHERE d.id = r.directory_id) AS "isActive"`,
};

/** Gives a run back, to go on after `$3` seconds. */
export const RELEASE_RUN: Statement = {
  text: `UPDATE dsync.workspace_runs r SET leased_by = NULL, leased_until = NULL,
      not_before = now() + $3::float * interval '1 second',
      setbacks = $4, error = $5
    WHERE r.id = $1 AND r.leased_by = $2`,
};

/**
 * Saves the progress of a run and renews its lease: id, holder, seconds, then the members of
 * RunProgress. No row if another process has taken the run over, whose work must not be touched.
 */
export const SAVE_PROGRESS: Statement = {
  name: 'dsync_save_workspace_run',
  text: `UPDATE dsync.workspace_runs r SET leased_until = now() + $3::float * interval '1 second',
      state = $4, phase = $5, position = $6, page_token = $7, second_round = $8, counts = $9,
      pages = $10, api_calls = $11, setbacks = $12, hold_reasons = $13, amounts = $14,
      change_token = $15, unchanged_since = $16, error = NULL
    WHERE r.id = $1 AND r.leased_by = $2 AND ${RUNNABLE} RETURNING r.id`,
};

/** Ends a run, or holds it: id, holder, state, error, counts. */
export const END_RUN: Statement = {
  text: `UPDATE dsync.workspace_runs r SET state = $3, error = $4, counts = $5,
      leased_by = NULL, leased_until = NULL, page_token = NULL,
      finished_at = CASE WHEN $3 = 'held' THEN NULL ELSE now() END
    WHERE r.id = $1 AND r.leased_by = $2 AND ${RUNNABLE} RETURNING r.id`,
};

/** The last run before that has listed something: directory, run. */
export const FIND_PREVIOUS: Statement = {
  text: `SELECT r.id FROM dsync.workspace_runs r
    WHERE r.directory_id = $1 AND r.id < $2 AND r.unchanged_since IS NULL
    ORDER BY r.id DESC LIMIT 1`,
};

/** The state of the run before: directory, run. */
export const PREVIOUS_STATE: Statement = {
  text: `SELECT r.state FROM dsync.workspace_runs r
    WHERE r.directory_id = $1 AND r.id <> $2 AND r.state IN ('succeeded', 'failed')
    ORDER BY r.finished_at DESC LIMIT 1`,
};

/** Decides on a held run: id, directory, new state, phase. */
export const DECIDE_RUN: Statement = {
  text: `UPDATE dsync.workspace_runs r SET state = $3, position = '', not_before = now(),
      phase = CASE r.trigger WHEN 'scim' THEN r.phase ELSE $4 END,
      finished_at = CASE WHEN $3 = 'discarded' THEN now() END
    WHERE r.id = $1 AND r.directory_id = $2 AND r.state = 'held'
    RETURNING ${COLUMNS}`,
};

export const FIND_SETTINGS: Statement = {
  text: 'SELECT settings FROM dsync.workspace_settings WHERE directory_id = $1',
};

export const STORE_SETTINGS: Statement = {
  text: `INSERT INTO dsync.workspace_settings (directory_id, settings) VALUES ($1, $2)
    ON CONFLICT (directory_id) DO UPDATE SET settings = excluded.settings`,
};

/** The directory data that a notice contains. */
export const NOTICE_DIRECTORY: Statement = {
  text: `SELECT d.id, d.name, d.tenant, d.product FROM dsync.directories d
    WHERE d.id = $1 AND d.deleted_at IS NULL`,
};
