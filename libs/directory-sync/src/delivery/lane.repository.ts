/** What delivery reads and writes: the lease of a lane, its pending events, the outcomes. */
import type { Sql } from '@gatehouse/service-kit';
import { EVENT_HORIZON } from '../events/event.sql.js';
import type { EventRow } from '../events/event.types.js';
import {
  BACKLOG,
  GIVE_UP_PENDING,
  IDLE_LANES,
  LANE_TARGET,
  LEASE_LANE,
  PENDING_EVENTS,
  RECORD_DELIVERY,
  RELEASE_LANE,
  STOP_WEBHOOK,
} from './lane.sql.js';

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
  constructor(private readonly sql: Sql) {}

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
    const [row] = await this.sql.rows<{ nextAttemptAt: Date | null }>(LEASE_LANE, values);
    return row;
  }

  async release(directoryId: string, runId: string): Promise<void> {
    await this.sql.rows(RELEASE_LANE, [directoryId, runId]);
  }

  /** Undefined when the directory sends nothing: no webhook, stopped, deactivated or deleted. */
  async target(directoryId: string): Promise<LaneTarget | undefined> {
    const [row] = await this.sql.rows<LaneTarget>(LANE_TARGET, [directoryId]);
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
    const [row] = await this.sql.rows<{ horizon: string }>(EVENT_HORIZON, [directoryId]);
    const horizon = BigInt(row?.horizon ?? 0);
    const rows = await this.sql.rows<PendingEvent>(PENDING_EVENTS, [directoryId, limit, bytesMax]);
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
    const rows = await this.sql.rows(RECORD_DELIVERY, [
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
    await this.sql.rows(GIVE_UP_PENDING, [directoryId]);
  }

  /**
   * After a 410: no more deliveries until the directory gets a new address. False when it has got
   * one already: nothing is stopped.
   */
  async stopWebhook(directoryId: string, endpoint: string): Promise<boolean> {
    return (await this.sql.rows(STOP_WEBHOOK, [directoryId, endpoint])).length > 0;
  }

  /** Lanes with something to do now that nobody works on. */
  async idleLanes(limit: number): Promise<string[]> {
    const rows = await this.sql.rows<{ id: string }>(IDLE_LANES, [limit]);
    return rows.map(({ id }) => id);
  }

  async backlog(): Promise<Backlog> {
    const [row] = await this.sql.rows<Backlog>(BACKLOG);
    return row ?? { lanes: 0, oldestAgeSeconds: 0 };
  }
}
