import { type SqlExecutor } from '@gatehouse/kit/sql';
import { type EndpointKey } from '../endpoints/endpoint.types.js';
import { statusStatements } from './status.sql.js';

/**
 * `pending`: an endpoint is still to receive it; `parked`: an endpoint refused it while it accepted others; `not_sent`: no
 * endpoint received it when it was logged.
 */
export type EventState = 'pending' | 'delivered' | 'parked' | 'not_sent';

/** One attempt to deliver an event. */
export interface LoggedAttempt {
  eventId: string;
  endpointId: string;
  at: Date;
  statusCode: number | null;
  durationMs: number;
  error: string | null;
}

/** An attempt of an endpoint. */
export interface AttemptRecord extends LoggedAttempt {
  id: string;
  url: string;
  /** The start of the response, if the endpoint logs its attempts. */
  response: string | null;
}

/** An attempt with what was sent. */
export interface PayloadRecord extends AttemptRecord {
  payload: object;
}

/** Counts end at a hundred thousand. */
export interface DeliveryCounts {
  /** Pending events of the endpoint that is furthest behind. */
  pending: number;
  oldestPendingAgeSeconds: number | null;
  parked: number;
}

export interface ParkedRecord {
  eventId: string;
  sequence: string;
  reason: string;
  attempts: number;
  parkedAt: Date;
}

/** Delivery status of the events of a system. */
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

  /** Attempts of an endpoint, newest first; `before` is the id of the last one that was read. */
  attemptsTo(
    { id, sourceId }: EndpointKey,
    before: string | undefined,
    limit: number,
  ): Promise<AttemptRecord[]> {
    return this.sql.rows(this.statements.attemptsTo, [sourceId, id, before ?? null, limit]);
  }

  /** Attempts of an endpoint that have their payload, newest first. */
  loggedAttempts(
    { id, sourceId }: EndpointKey,
    offset: number,
    limit: number,
  ): Promise<PayloadRecord[]> {
    return this.sql.rows(this.statements.loggedAttempts, [sourceId, id, offset, limit]);
  }

  /** The events of a source, or of one of its endpoints. */
  async countsOf(sourceId: string, endpointId: string | null = null): Promise<DeliveryCounts> {
    const values = [sourceId, endpointId];
    const [row] = await this.sql.rows<DeliveryCounts>(this.statements.counts, values);
    return row as DeliveryCounts;
  }

  /** Undelivered events by source. For all sources, only what a sweep has seen. */
  undelivered(sourceId: string | null): Promise<{ sourceId: string; events: number }[]> {
    return this.sql.rows(this.statements.undelivered, [sourceId]);
  }

  /**
   * Parked events of an endpoint, newest first; `before` is the sequence of the last one that was
   * read.
   */
  parkedOf(
    { id, sourceId }: EndpointKey,
    { before, offset = 0, limit }: { before?: string; offset?: number; limit: number },
  ): Promise<ParkedRecord[]> {
    const values = [sourceId, id, before ?? null, offset, limit];
    return this.sql.rows(this.statements.parked, values);
  }
}
