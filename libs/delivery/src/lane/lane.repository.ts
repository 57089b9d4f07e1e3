/** Database access of a lane: its lease, its pending events, its attempts. */
import { type DeliveryNoticeType } from '@gatehouse/schemas';
import { type Sql, type SqlExecutor } from '@gatehouse/kit/sql';
import { type EndpointKey, type EndpointState } from '../endpoints/endpoint.types.js';
import { eventLogStatements } from '../log/event-log.sql.js';
import { OPERATIONS_SOURCE } from '../log/event-log.types.js';
import { columnsOf, type LoggedAttempt } from './attempt-columns.js';
import { laneStatements } from './lane.sql.js';
import { type Backlog, type LeasedEndpoint, type PendingEvent, type Track } from './lane.types.js';

/** The health of an endpoint after an attempt. */
export interface HealthChange {
  state: EndpointState;
  reason: string | null;
  failures: number;
  /** Null: never by itself. */
  nextAttemptAt: Date | null | 'now';
}

/** A poisoned event. */
export interface ParkedEvent {
  event: PendingEvent;
  reason: string;
  attempts: number;
}

const NOTICES: Readonly<Record<EndpointState, DeliveryNoticeType | undefined>> = {
  healthy: 'webhook.recovered',
  failing: 'webhook.failing',
  paused: 'webhook.paused',
  stopped: 'webhook.paused',
};
const SWEPT_NUMBERS_MAX = 100_000n;

export class LaneRepository {
  private readonly statements: ReturnType<typeof laneStatements>;
  private readonly log: ReturnType<typeof eventLogStatements>;

  constructor(
    private readonly sql: Sql,
    schema: string,
  ) {
    this.statements = laneStatements(schema);
    this.log = eventLogStatements(schema);
  }

  /** Takes or renews the lease of an endpoint. Undefined if another run holds it. */
  async lease(
    { id, sourceId }: EndpointKey,
    runId: string,
    seconds: number,
  ): Promise<(LeasedEndpoint & { isWaiting: boolean }) | undefined> {
    const values = [id, sourceId, runId, seconds];
    const [row] = await this.sql.rows<LeasedEndpoint & { isWaiting: boolean }>(
      this.statements.lease,
      values,
    );
    return row;
  }

  /** Renews leases of runs. Returns the runs whose lease another one holds. */
  async renew(
    endpoints: readonly EndpointKey[],
    runIds: readonly string[],
    seconds: number,
  ): Promise<string[]> {
    const ids = endpoints.map(({ id }) => id);
    const values = [ids, endpoints.map(({ sourceId }) => sourceId), runIds, seconds];
    const rows = await this.sql.rows<{ runId: string }>(this.statements.renew, values);
    return rows.map(({ runId }) => runId);
  }

  async release({ id, sourceId }: EndpointKey, runId: string): Promise<void> {
    await this.sql.rows(this.statements.release, [id, sourceId, runId]);
  }

  /**
   * The next events of a track, in sequence, and the number up to which the track is known now.
   * Returns at most `limit` events; all after the first stay within `bytesMax`.
   * `isBlocked`: a writer is under way, so that newer events cannot be read yet.
   */
  async pending(
    sourceId: string,
    track: Track,
    limit: number,
    bytesMax: number,
  ): Promise<{ events: PendingEvent[]; horizon: string; isBlocked: boolean }> {
    const { horizon, newest } = await this.endOf(sourceId, track);
    const events = await this.sql.rows<PendingEvent>(this.statements.pending, [
      sourceId,
      track.cursor,
      track.cursorAt,
      horizon,
      limit,
      bytesMax,
      track.types,
    ]);
    return { events, horizon, isBlocked: BigInt(horizon) < BigInt(newest) };
  }

  /** A replay ends at a number that the endpoint had already passed: no writer is under way there. */
  private async endOf(
    sourceId: string,
    { until }: Track,
  ): Promise<{ horizon: string; newest: string }> {
    if (until !== null) return { horizon: until, newest: until };
    const [row] = await this.sql.rows<{ horizon: string; newest: string }>(this.log.horizon, [
      sourceId,
    ]);
    return row ?? { horizon: '0', newest: '0' };
  }

  async openReplay({ id, sourceId }: EndpointKey): Promise<Track | undefined> {
    const [row] = await this.sql.rows<Track>(this.statements.replay, [id, sourceId]);
    return row;
  }

  /**
   * Moves a track behind an event, with the attempts that got it there.
   *
   * @returns false, with nothing written, if the lease was lost
   */
  async advance(
    { id, sourceId }: EndpointKey,
    runId: string,
    track: Pick<Track, 'replayId' | 'cursor'> & { cursorAt: Date | null },
    attempts: readonly LoggedAttempt[],
    sql: SqlExecutor = this.sql,
  ): Promise<boolean> {
    const position = [track.cursor, track.cursorAt];
    const values = [id, sourceId, runId, ...position, ...columnsOf(attempts)];
    const { advance, advanceReplay } = this.statements;
    const rows =
      track.replayId === null
        ? await sql.rows(advance, values)
        : await sql.rows(advanceReplay, [...values, track.replayId]);
    return rows.length > 0;
  }

  async closeReplay({ id, sourceId }: EndpointKey, replayId: string): Promise<void> {
    await this.sql.rows(this.statements.closeReplay, [id, sourceId, replayId]);
  }

  /**
   * Records failed attempts, the refusals of the event that a track is at, and the health of the
   * endpoint after them, unless its settings have changed since. A new state is announced to the
   * operations endpoint in the same transaction.
   *
   * @returns false, with nothing written, if the lease was lost
   */
  async recordFailure(
    endpoint: LeasedEndpoint,
    runId: string,
    track: Pick<Track, 'replayId' | 'refusals'>,
    attempts: readonly LoggedAttempt[],
    health: HealthChange,
  ): Promise<boolean> {
    const { statements } = this;
    return this.sql.transaction(async (sql) => {
      const { id, sourceId } = endpoint;
      const values = [id, sourceId, runId, ...columnsOf(attempts)];
      if ((await sql.rows(statements.logAttempts, values)).length === 0) return false;
      const { replayId, refusals } = track;
      await (replayId === null
        ? sql.rows(statements.countRefusal, [id, sourceId, refusals])
        : sql.rows(statements.countReplayRefusal, [replayId, sourceId, refusals]));
      await this.setHealth(sql, endpoint, health);
      return true;
    });
  }

  /** The endpoint took a delivery: it is healthy from now on. */
  async recover(endpoint: LeasedEndpoint): Promise<void> {
    const healthy = { state: 'healthy', reason: null, failures: 0, nextAttemptAt: 'now' } as const;
    await this.sql.transaction((sql) => this.setHealth(sql, endpoint, healthy));
  }

  /**
   * Parks a poisoned event and moves its track behind it.
   *
   * @returns false, with nothing written, if the lease was lost
   */
  async park(
    endpoint: LeasedEndpoint,
    runId: string,
    track: Pick<Track, 'replayId'>,
    { event, reason, attempts }: ParkedEvent,
    attempt: LoggedAttempt,
  ): Promise<boolean> {
    return this.sql.transaction(async (sql) => {
      const { sourceId } = endpoint;
      const values = [endpoint.id, sourceId, runId, ...columnsOf([attempt])];
      if ((await sql.rows(this.statements.logAttempts, values)).length === 0) return false;
      const behind = { ...track, cursor: event.sequence, cursorAt: event.createdAt };
      await this.advance(endpoint, runId, behind, [], sql);
      const { id, sequence } = event;
      const parked = [endpoint.id, sourceId, sequence, id, reason, attempts];
      await sql.rows(this.statements.park, parked);
      await this.notify(sql, 'event.parked', endpoint, {
        event_id: id,
        event_type: event.type,
        reason,
        attempts,
      });
      return true;
    });
  }

  /** Reads what was logged since the last sweep, and marks the endpoints that have not come as far. */
  async markDue(): Promise<void> {
    const [row] = await this.sql.rows<{ horizon: string }>(this.log.horizon, [null]);
    const horizon = BigInt(row?.horizon ?? 0);
    while (await this.sql.transaction((sql) => this.markPart(sql, horizon)));
  }

  /** @returns whether a part of the log is left */
  private async markPart(sql: SqlExecutor, horizon: bigint): Promise<boolean> {
    const { statements } = this;
    const [swept] = await sql.rows<{ position: string }>(statements.sweepPosition);
    if (!swept || BigInt(swept.position) >= horizon) return false;
    const last = BigInt(swept.position) + SWEPT_NUMBERS_MAX;
    const until = last < horizon ? last : horizon;
    const fresh = await sql.rows<{ sourceId: string; sequence: string }>(
      statements.newestOfSources,
      [swept.position, String(until)],
    );
    const sources = fresh.map(({ sourceId }) => sourceId);
    await sql.rows(statements.mark, [sources, fresh.map(({ sequence }) => sequence)]);
    await sql.rows(statements.setSweepPosition, [String(until)]);
    return until < horizon;
  }

  /** The sources of endpoints that are due and that no run holds. */
  async dueSources(limit: number): Promise<string[]> {
    const due = await this.sql.rows<{ sourceId: string }>(this.statements.due, [limit]);
    return [...new Set(due.map(({ sourceId }) => sourceId))];
  }

  /** The endpoints of a source that may run now. */
  async endpointsOf(sourceId: string): Promise<EndpointKey[]> {
    const rows = await this.sql.rows<{ id: string }>(this.statements.ofSource, [sourceId]);
    return rows.map(({ id }) => ({ id, sourceId }));
  }

  async backlog(): Promise<Backlog> {
    const [row] = await this.sql.rows<Backlog>(this.statements.backlog);
    return row as Backlog;
  }

  private async setHealth(
    sql: SqlExecutor,
    endpoint: LeasedEndpoint,
    { state, reason, failures, nextAttemptAt }: HealthChange,
  ): Promise<void> {
    const values = [
      endpoint.id,
      endpoint.sourceId,
      endpoint.revision,
      state,
      reason,
      failures,
      delayOf(nextAttemptAt),
    ];
    const [changed] = await sql.rows<{ isNew: boolean; failingSince: Date | null }>(
      this.statements.setHealth,
      values,
    );
    const notice = NOTICES[state];
    if (!changed?.isNew || notice === undefined) return;
    const since = changed.failingSince ?? endpoint.failingSince;
    await this.notify(sql, notice, endpoint, {
      state,
      reason,
      failing_since: since?.toISOString() ?? null,
    });
  }

  /** Logs an event about an endpoint. The operations endpoint itself causes none. */
  private async notify(
    sql: SqlExecutor,
    type: DeliveryNoticeType,
    { id, sourceId }: LeasedEndpoint,
    details: object,
  ): Promise<void> {
    if (sourceId === OPERATIONS_SOURCE) return;
    const data = JSON.stringify({ endpoint_id: id, source_id: sourceId, ...details });
    await sql.rows(this.log.insertOne, [OPERATIONS_SOURCE, type, data]);
  }
}

/** In seconds, because the clock of the database decides when an endpoint is due. */
function delayOf(nextAttemptAt: HealthChange['nextAttemptAt']): number {
  if (nextAttemptAt === null) return Infinity;
  return nextAttemptAt === 'now' ? -Infinity : (nextAttemptAt.getTime() - Date.now()) / 1_000;
}
