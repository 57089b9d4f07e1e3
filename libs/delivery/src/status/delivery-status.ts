import { type SqlExecutor } from '@gatehouse/service-kit';
import { statusStatements } from './status.sql.js';

/**
 * `pending`: an endpoint is still to receive it; `dead`: parked by an endpoint; `not_sent`: no endpoint
 * took it when it was logged.
 */
export type EventState = 'pending' | 'delivered' | 'dead' | 'not_sent';

/** One attempt to deliver an event. */
export interface LoggedAttempt {
  eventId: string;
  endpointId: string;
  at: Date;
  statusCode: number | null;
  durationMs: number;
  error: string | null;
}

/** An attempt with what was sent, if the endpoint logs its attempts. */
export interface AttemptRecord extends LoggedAttempt {
  id: string;
  url: string;
  payload: object | null;
  response: string | null;
}

export interface SourceCounts {
  /** Of the endpoint that is furthest behind. */
  pending: number;
  oldestPendingAgeSeconds: number | null;
  dead: number;
}

export interface ParkedRecord {
  eventId: string;
  endpointId: string;
  sequence: string;
  reason: string;
  attempts: number;
  parkedAt: Date;
}

/** What became of the events of a system. */
export class DeliveryStatus {
  private readonly statements: ReturnType<typeof statusStatements>;

  constructor(
    private readonly sql: SqlExecutor,
    schema: string,
  ) {
    this.statements = statusStatements(schema);
  }

  /** The states of events, by their ids. */
  async statesOf(eventIds: readonly string[]): Promise<ReadonlyMap<string, EventState>> {
    if (eventIds.length === 0) return new Map();
    const values = [eventIds];
    const rows = await this.sql.rows<{ id: string; state: EventState }>(
      this.statements.states,
      values,
    );
    return new Map(rows.map(({ id, state }) => [id, state]));
  }

  async attemptsOf(eventIds: readonly string[]): Promise<LoggedAttempt[]> {
    if (eventIds.length === 0) return [];
    return this.sql.rows<LoggedAttempt>(this.statements.attempts, [eventIds]);
  }

  /** Attempts of a source, newest first; optionally only those with their payload. */
  listAttempts(
    sourceId: string,
    { onlyLogged, offset, limit }: { onlyLogged: boolean; offset: number; limit: number },
  ): Promise<AttemptRecord[]> {
    const values = [sourceId, onlyLogged, offset, limit];
    return this.sql.rows<AttemptRecord>(this.statements.listAttempts, values);
  }

  async countsOf(sourceId: string): Promise<SourceCounts> {
    const [row] = await this.sql.rows<SourceCounts>(this.statements.counts, [sourceId]);
    return row as SourceCounts;
  }

  /** Undelivered events by source. For all sources, only what a sweep has seen. */
  undelivered(sourceId: string | null): Promise<{ sourceId: string; events: number }[]> {
    return this.sql.rows(this.statements.undelivered, [sourceId]);
  }

  /** Parked events of a source, newest first. */
  parkedOf(sourceId: string, offset: number, limit: number): Promise<ParkedRecord[]> {
    return this.sql.rows<ParkedRecord>(this.statements.parked, [sourceId, offset, limit]);
  }
}
