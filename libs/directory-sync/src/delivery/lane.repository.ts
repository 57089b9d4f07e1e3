/** What delivery reads and writes: the lease of a lane, its pending events, the outcomes. */
import type { Sql } from '@gatehouse/service-kit';
import { EVENT_HORIZON } from '../events/event.sql.js';
import type { EventRow } from '../events/event.types.js';
import * as statements from './lane.sql.js';

export interface PendingEvent extends EventRow {
  attempts: number;
}

/** The endpoint of a directory and the secrets that sign its events. */
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

/** One attempt to deliver an event. */
export interface Attempt {
  statusCode: number | null;
  durationMs: number;
  error: string | null;
  /** Set only if the directory logs its webhook events. */
  log: { endpoint: string; payload: string; response: string | null } | null;
}

/** Undelivered events of all directories. */
export interface Backlog {
  /** Directories with undelivered events. */
  lanes: number;
  /** The age of the oldest of these events; 0 if there are none. */
  oldestAgeSeconds: number;
}

export type Outcome =
  | { state: 'delivered' }
  | { state: 'pending'; retryAt: Date }
  | { state: 'dead' }
  | { state: 'not_sent' };

export class LaneRepository {
  constructor(private readonly sql: Sql) {}

  /**
   * Takes or renews the lease of a lane, which only one run holds at a time.
   *
   * @returns undefined if another run holds it; else the time of the next attempt, if one is
   *   waiting
   */
  async lease(
    directoryId: string,
    runId: string,
    seconds: number,
  ): Promise<{ nextAttemptAt: Date | null } | undefined> {
    const values = [directoryId, runId, seconds];
    const [row] = await this.sql.rows<{ nextAttemptAt: Date | null }>(
      statements.LEASE_LANE,
      values,
    );
    return row;
  }

  async release(directoryId: string, runId: string): Promise<void> {
    await this.sql.rows(statements.RELEASE_LANE, [directoryId, runId]);
  }

  /** Undefined without a live webhook: none set, stopped, deactivated or deleted. */
  async target(directoryId: string): Promise<LaneTarget | undefined> {
    const [row] = await this.sql.rows<LaneTarget>(statements.LANE_TARGET, [directoryId]);
    return row;
  }

  /**
   * The next events to deliver, in sequence, and whether there are events beyond the horizon.
   * Returns at most `limit` events; all after the first stay within `bytesMax` of stored size in
   * total.
   */
  async pending(
    directoryId: string,
    limit: number,
    bytesMax: number,
  ): Promise<{ events: PendingEvent[]; hasMoreBeyondHorizon: boolean }> {
    const [row] = await this.sql.rows<{ horizon: string }>(EVENT_HORIZON, [directoryId]);
    const horizon = BigInt(row?.horizon ?? 0);
    const rows = await this.sql.rows<PendingEvent>(statements.PENDING_EVENTS, [
      directoryId,
      limit,
      bytesMax,
    ]);
    const events = rows.filter(({ sequence }) => BigInt(sequence) <= horizon);
    return { events, hasMoreBeyondHorizon: events.length < rows.length };
  }

  /**
   * Records the outcome of an attempt at `endpoint`. A pause before the next attempt is kept only
   * if the directory still has that endpoint.
   *
   * @returns false, with nothing written, if the lease was lost
   */
  async record(
    directoryId: string,
    runId: string,
    event: PendingEvent,
    outcome: Outcome,
    attempt: Attempt,
    endpoint: string,
  ): Promise<boolean> {
    const rows = await this.sql.rows(statements.RECORD_DELIVERY, [
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
   * Marks pending events as only logged. Does nothing if the directory has a live webhook again.
   */
  async giveUpPending(directoryId: string): Promise<void> {
    await this.sql.rows(statements.GIVE_UP_PENDING, [directoryId]);
  }

  /**
   * Stops deliveries after a 410, until the directory gets a new webhook address.
   *
   * @returns false, with nothing stopped, if it already has another address
   */
  async stopWebhook(directoryId: string, endpoint: string): Promise<boolean> {
    return (await this.sql.rows(statements.STOP_WEBHOOK, [directoryId, endpoint])).length > 0;
  }

  /** Directories with due events whose lane no run holds. */
  async idleLanes(limit: number): Promise<string[]> {
    const rows = await this.sql.rows<{ id: string }>(statements.IDLE_LANES, [limit]);
    return rows.map(({ id }) => id);
  }

  async backlog(): Promise<Backlog> {
    const [row] = await this.sql.rows<Backlog>(statements.BACKLOG);
    return row ?? { lanes: 0, oldestAgeSeconds: 0 };
  }
}
