/** What delivery reads and writes: the lease of a lane, its pending events, the outcomes. */
import type { Database, Statement } from '../database/database.js';
import { IS_SENDING } from '../directories/directory.repository.js';
import type { EventRow } from '../events/event.types.js';

export interface PendingEvent extends EventRow {
  attempts: number;
}

/** Where a directory's events go, and what signs them. */
export interface LaneTarget {
  id: string;
  tenant: string;
  product: string;
  attributeMapping: Record<string, string> | null;
  endpoint: string;
  secretSealed: string | null;
  previousSecretSealed: string | null;
  logsAttempts: boolean;
}

/** One try to deliver an event, as it is kept. */
export interface Attempt {
  statusCode: number | null;
  durationMs: number;
  error: string | null;
  /** Kept only where the directory logs its webhook events. */
  log: { endpoint: string; payload: string; response: string | null } | null;
}

/** What waits to be delivered, of all directories together. */
export interface Backlog {
  /** Directories with undelivered events. */
  lanes: number;
  /** The age of the oldest of these events; 0 when there is none. */
  oldestAgeSeconds: number;
}

export type Outcome =
  | { state: 'delivered' }
  | { state: 'pending'; retryAt: Date }
  | { state: 'dead' }
  | { state: 'not_sent' };

export class LaneRepository {
  constructor(private readonly database: Database) {}

  /**
   * Takes or renews the lease of a lane; one run at a time has it.
   * @returns undefined while another run has it, else when the next attempt is due, if it waits
   */
  async lease(
    directoryId: string,
    runId: string,
    seconds: number,
  ): Promise<{ nextAttemptAt: Date | null } | undefined> {
    const values = [directoryId, runId, seconds];
    const [row] = await this.database.run<{ nextAttemptAt: Date | null }>(LEASE, values);
    return row;
  }

  async release(directoryId: string, runId: string): Promise<void> {
    await this.database.run(RELEASE, [directoryId, runId]);
  }

  /** Undefined when the directory sends nothing: no webhook, stopped, deactivated or deleted. */
  async target(directoryId: string): Promise<LaneTarget | undefined> {
    const [row] = await this.database.run<LaneTarget>(TARGET, [directoryId]);
    return row;
  }

  /**
   * The next events to deliver, in sequence, and whether committed ones wait behind the horizon. At
   * most `limit`, and beside the first none that goes beyond `bytesMax` as they are stored.
   */
  async pending(
    directoryId: string,
    limit: number,
    bytesMax: number,
  ): Promise<{ events: PendingEvent[]; hasMoreBeyondHorizon: boolean }> {
    const [row] = await this.database.run<{ horizon: string }>(HORIZON, [directoryId]);
    const horizon = BigInt(row?.horizon ?? 0);
    const rows = await this.database.run<PendingEvent>(PENDING, [directoryId, limit, bytesMax]);
    const events = rows.filter(({ sequence }) => BigInt(sequence) <= horizon);
    return { events, hasMoreBeyondHorizon: events.length < rows.length };
  }

  /**
   * Writes what became of an event, and the attempt that was made at `endpoint`. A pause before the
   * next one holds for that address alone. False when the lease was lost: nothing is written.
   */
  async record(
    directoryId: string,
    runId: string,
    event: PendingEvent,
    outcome: Outcome,
    attempt: Attempt,
    endpoint: string,
  ): Promise<boolean> {
    const rows = await this.database.run(RECORD, [
      directoryId,
      runId,
      event.sequence,
      outcome.state,
      outcome.state === 'pending' ? outcome.retryAt : null,
      attempt.statusCode,
      attempt.durationMs,
      attempt.error,
      attempt.log?.endpoint ?? null,
      attempt.log?.payload ?? null,
      attempt.log?.response ?? null,
      endpoint,
    ]);
    return rows.length > 0;
  }

  /**
   * Marks what waits as logged only, where the directory has no live webhook any more. One that got
   * a webhook since the caller looked keeps what was written for it.
   */
  async giveUpPending(directoryId: string): Promise<void> {
    await this.database.run(GIVE_UP, [directoryId]);
  }

  /**
   * After a 410: no more deliveries until the directory gets a new address. False when it has got
   * one already: nothing is stopped.
   */
  async stopWebhook(directoryId: string, endpoint: string): Promise<boolean> {
    return (await this.database.run(STOP, [directoryId, endpoint])).length > 0;
  }

  /** Lanes with something to do now that nobody works on. */
  async idleLanes(limit: number): Promise<string[]> {
    const rows = await this.database.run<{ id: string }>(IDLE, [limit]);
    return rows.map(({ id }) => id);
  }

  async backlog(): Promise<Backlog> {
    const [row] = await this.database.run<Backlog>(BACKLOG, []);
    return row ?? { lanes: 0, oldestAgeSeconds: 0 };
  }
}

const LEASE: Statement = {
  name: 'dsync_lease_lane',
  text: `UPDATE dsync.lanes SET leased_by = $2, leased_until = now() + make_interval(secs => $3)
    WHERE directory_id = $1 AND (leased_by = $2 OR leased_until IS NULL OR leased_until < now())
    RETURNING next_attempt_at AS "nextAttemptAt"`,
};

const RELEASE: Statement = {
  name: 'dsync_release_lane',
  text: `UPDATE dsync.lanes SET leased_by = NULL, leased_until = NULL
    WHERE directory_id = $1 AND leased_by = $2`,
};

const TARGET: Statement = {
  name: 'dsync_lane_target',
  text: `SELECT d.id, d.tenant, d.product, d.attribute_mapping AS "attributeMapping",
      d.webhook_endpoint AS endpoint, d.webhook_secret_sealed AS "secretSealed",
      CASE WHEN d.webhook_secret_previous_until > now()
        THEN d.webhook_secret_previous_sealed END AS "previousSecretSealed",
      d.log_webhook_events AS "logsAttempts"
    FROM dsync.directories d
    WHERE d.id = $1 AND d.webhook_endpoint IS NOT NULL AND d.webhook_stopped_at IS NULL
      AND NOT d.deactivated AND d.deleted_at IS NULL`,
};

const HORIZON: Statement = {
  name: 'dsync_event_horizon',
  text: 'SELECT dsync.event_horizon($1) AS horizon',
};

const PENDING: Statement = {
  name: 'dsync_pending_events',
  text: `SELECT e.id, e.sequence, e.type, e.data, e.previous, e.created_at AS "createdAt", e.attempts
    FROM (SELECT next.*, row_number() OVER in_order AS position,
        sum(pg_column_size(data) + coalesce(pg_column_size(previous), 0)) OVER in_order AS bytes
      FROM (SELECT * FROM dsync.events WHERE directory_id = $1 AND state = 'pending'
        ORDER BY sequence LIMIT $2) next
      WINDOW in_order AS (ORDER BY sequence)) e
    WHERE e.position = 1 OR e.bytes <= $3
    ORDER BY e.sequence`,
};

const RECORD: Statement = {
  name: 'dsync_record_delivery',
  text: `WITH lane AS (
      UPDATE dsync.lanes SET next_attempt_at = (SELECT $5::timestamptz
        FROM dsync.directories d WHERE d.id = $1 AND d.webhook_endpoint = $12)
      WHERE directory_id = $1 AND leased_by = $2 RETURNING directory_id),
    done AS (
      UPDATE dsync.events e SET state = $4, attempts = e.attempts + 1,
        finished_at = CASE WHEN $4 = 'pending' THEN NULL ELSE now() END
      FROM lane WHERE e.directory_id = lane.directory_id AND e.sequence = $3 AND e.state = 'pending'
      RETURNING e.id)
    INSERT INTO dsync.delivery_attempts
      (directory_id, event_id, status_code, duration_ms, error, endpoint, payload, response)
    SELECT $1, done.id, $6, $7, $8, $9, $10::json, $11 FROM done
    RETURNING id`,
};

const GIVE_UP: Statement = {
  text: `WITH lane AS (
      UPDATE dsync.lanes l SET next_attempt_at = NULL
      WHERE l.directory_id = $1 AND NOT EXISTS (SELECT FROM dsync.directories d
        WHERE d.id = $1 AND d.deleted_at IS NULL AND ${IS_SENDING})
      RETURNING l.directory_id)
    UPDATE dsync.events e SET state = 'not_sent', finished_at = now()
    FROM lane WHERE e.directory_id = lane.directory_id AND e.state = 'pending'`,
};

const STOP: Statement = {
  text: `UPDATE dsync.directories SET webhook_stopped_at = now(), revision = revision + 1
    WHERE id = $1 AND webhook_endpoint = $2
    RETURNING id`,
};

const IDLE: Statement = {
  name: 'dsync_idle_lanes',
  text: `SELECT l.directory_id AS id FROM dsync.lanes l
    WHERE (l.leased_until IS NULL OR l.leased_until < now())
      AND (l.next_attempt_at IS NULL OR l.next_attempt_at <= now())
      AND EXISTS (SELECT FROM dsync.events e
        WHERE e.directory_id = l.directory_id AND e.state = 'pending')
    LIMIT $1`,
};

// From the first pending event of one lane to that of the next: the cost is that of the lanes that
// have some, not of all directories, and not of all that wait in them. Exported for the test of its
// plan alone.
export const BACKLOG: Statement = {
  text: `WITH RECURSIVE oldest AS (
      (SELECT e.directory_id, e.created_at FROM dsync.events e
        WHERE e.state = 'pending' ORDER BY e.directory_id, e.sequence LIMIT 1)
      UNION ALL
      SELECT next.directory_id, next.created_at FROM oldest o CROSS JOIN LATERAL (
        SELECT e.directory_id, e.created_at FROM dsync.events e
        WHERE e.state = 'pending' AND e.directory_id > o.directory_id
        ORDER BY e.directory_id, e.sequence LIMIT 1) next)
    SELECT count(*)::integer AS lanes,
      coalesce(extract(epoch FROM now() - min(o.created_at)), 0)::float AS "oldestAgeSeconds"
    FROM oldest o`,
};
