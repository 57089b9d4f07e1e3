/** Database access of a lane: its lease, its pending events, its attempts. */
import { type DeliveryNoticeType } from '@gatehouse/schemas';
import { type Sql, type SqlExecutor } from '@gatehouse/kit/sql';
import { Batcher } from '@gatehouse/kit/tasks';
import {
  type EndpointKey,
  type EndpointState,
  KEY_SERVICE_ENDPOINT,
} from '../endpoints/endpoint.types.js';
import { eventLogStatements } from '../log/event-log.sql.js';
import { OPERATIONS_SOURCE } from '../log/event-log.types.js';
import { columnsOf, type LoggedAttempt } from './attempt-columns.js';
import { laneStatements } from './lane.sql.js';
import {
  type Backlog,
  type Claim,
  type LeasedEndpoint,
  type PendingEvent,
  type Replay,
  type Track,
} from './lane.types.js';

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
const SWEPT_ENDPOINTS_MAX = 1_000;
const SWEPT_NUMBERS_MAX = 100_000;

/** Events of a lane that are read at once, or those of one request if they are more. */
const READ_EVENTS = 100;
/** A hundred events of ordinary users are far smaller; the largest would fill the heap. */
const READ_BYTES = 1024 * 1024;
/** Of all lanes of a statement, where each event is a request of its own. */
const SHARED_BYTES = 4 * READ_BYTES;
/** Another worker takes over from a dead one after this time. */
const LEASE_SECONDS = 10;
/** Lanes of one statement. */
const LANES_AT_ONCE = 50;

/** Deliveries on a track, and where they leave it. */
export interface Recorded {
  endpoint: EndpointKey;
  runId: string;
  replayId: string | null;
  cursor: string;
  cursorAt: Date;
  attempts: readonly LoggedAttempt[];
  /** Whether the run ends here and gives its lease back; not for a replay. */
  releases: boolean;
}

interface Sweep {
  position: string;
  horizon: string;
  due: string[];
}

type OptionalTime = 'failingSince' | 'lastSuccessAt' | 'nextAttemptAt';

interface ClaimRow {
  claim: Omit<Claim, OptionalTime | 'cursorAt' | 'events'> &
    Record<OptionalTime, string | null> & {
      cursorAt: string;
      events: (Omit<PendingEvent, 'createdAt'> & { createdAt: string })[] | null;
    };
}

export class LaneRepository {
  private readonly statements: ReturnType<typeof laneStatements>;
  private readonly log: ReturnType<typeof eventLogStatements>;
  private readonly claims = new Batcher(this.claimAll.bind(this), LANES_AT_ONCE);
  private readonly records = new Batcher(this.recordAll.bind(this), LANES_AT_ONCE);
  private readonly sources = new Batcher(this.endpointsOfAll.bind(this), LANES_AT_ONCE);

  /** @param batchSize events of one request, which a claim never cuts short; 0: each event alone */
  constructor(
    private readonly sql: Sql,
    schema: string,
    private readonly batchSize = 0,
  ) {
    this.statements = laneStatements(schema);
    this.log = eventLogStatements(schema);
  }

  /**
   * Takes or renews the lease of an endpoint and reads its next events, in one statement with the claims
   * that are made meanwhile. Undefined if another run holds the endpoint, or if it is gone.
   */
  claim(endpoint: EndpointKey, runId: string): Promise<Claim | undefined> {
    return this.claims.add({ ...endpoint, runId });
  }

  /** Renews leases of runs. Returns the runs whose lease another one holds. */
  async renew(endpoints: readonly EndpointKey[], runIds: readonly string[]): Promise<string[]> {
    const ids = endpoints.map(({ id }) => id);
    const values = [ids, endpoints.map(({ sourceId }) => sourceId), runIds, LEASE_SECONDS];
    const rows = await this.sql.rows<{ runId: string }>(this.statements.renew, values);
    return rows.map(({ runId }) => runId);
  }

  async release({ id, sourceId }: EndpointKey, runId: string): Promise<void> {
    await this.sql.rows(this.statements.release, [id, sourceId, runId]);
  }

  /** The next events of a replay, in sequence. No writer is under way where it ends. */
  replayed(sourceId: string, { cursor, cursorAt, until, types }: Replay): Promise<PendingEvent[]> {
    const values = [sourceId, cursor, cursorAt, until, this.readEvents, READ_BYTES, types];
    return this.sql.rows<PendingEvent>(this.statements.replayed, values);
  }

  async openReplay({ id, sourceId }: EndpointKey): Promise<Replay | undefined> {
    const [row] = await this.sql.rows<Replay>(this.statements.replay, [id, sourceId]);
    return row;
  }

  /**
   * Moves a track behind the events that were delivered, with their attempts, in one statement with others
   * that are recorded meanwhile.
   *
   * @returns false, with nothing written, if the lease was lost
   */
  async record(recorded: Recorded): Promise<boolean> {
    if (recorded.replayId === null) return (await this.records.add(recorded)) ?? false;
    const { endpoint, runId, replayId, cursor, cursorAt, attempts } = recorded;
    const position = [endpoint.id, endpoint.sourceId, runId, cursor, cursorAt];
    const values = [...position, ...columnsOf(attempts), replayId];
    return (await this.sql.rows(this.statements.advanceReplay, values)).length > 0;
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
      const { id, sequence, createdAt } = event;
      await (track.replayId === null
        ? sql.rows(this.statements.skip, [endpoint.id, sourceId, sequence, createdAt])
        : sql.rows(this.statements.skipInReplay, [track.replayId, sourceId, sequence, createdAt]));
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

  /**
   * Reads what was logged since the last sweep, and marks the endpoints that have not come as far.
   * Returns the sources of endpoints that are due and that no run holds.
   */
  async sweep(): Promise<string[]> {
    let swept = await this.readSweep();
    if (BigInt(swept.position) < BigInt(swept.horizon)) {
      while (await this.markPart(swept.horizon));
      swept = await this.readSweep();
    }
    return [...new Set(swept.due)];
  }

  private async readSweep(): Promise<Sweep> {
    const [sweep] = await this.sql.rows<Sweep>(this.statements.sweep, [SWEPT_ENDPOINTS_MAX]);
    return sweep ?? { position: '0', horizon: '0', due: [] };
  }

  /** @returns whether a part of the log is left */
  private async markPart(horizon: string): Promise<boolean> {
    const values = [horizon, SWEPT_NUMBERS_MAX];
    const [marked] = await this.sql.rows<{ isPart: boolean }>(this.statements.mark, values);
    return marked?.isPart ?? false;
  }

  /** The endpoints of a source that may run now. */
  async endpointsOf(sourceId: string): Promise<EndpointKey[]> {
    return (await this.sources.add(sourceId)) ?? [];
  }

  async backlog(): Promise<Backlog> {
    const [row] = await this.sql.rows<Backlog>(this.statements.backlog);
    return row as Backlog;
  }

  private get readEvents(): number {
    return Math.max(READ_EVENTS, this.batchSize);
  }

  private async endpointsOfAll(sourceIds: readonly string[]): Promise<EndpointKey[][]> {
    const rows = await this.sql.rows<EndpointKey>(this.statements.ofSources, [sourceIds]);
    return sourceIds.map((id) => rows.filter(({ sourceId }) => sourceId === id));
  }

  private async claimAll(
    runs: readonly (EndpointKey & { runId: string })[],
    isAlone: boolean,
  ): Promise<(Claim | undefined)[]> {
    const values = [
      runs.map(({ id }) => id),
      runs.map(({ sourceId }) => sourceId),
      runs.map(({ runId }) => runId),
      LEASE_SECONDS,
      this.readEvents,
      this.batchSize > 0
        ? READ_BYTES
        : Math.min(READ_BYTES, Math.floor(SHARED_BYTES / runs.length)),
      isAlone,
    ];
    const rows = await this.sql.rows<ClaimRow>(this.statements.claim, values);
    const claims = new Map(rows.map((row) => [row.claim.runId, claimOf(row)]));
    return runs.map(({ runId }) => claims.get(runId));
  }

  private async recordAll(
    records: readonly Recorded[],
    isAlone: boolean,
  ): Promise<(true | undefined)[]> {
    const { record, recordOne } = this.statements;
    const values = [
      records.map(({ endpoint }) => endpoint.id),
      records.map(({ endpoint }) => endpoint.sourceId),
      records.map(({ runId }) => runId),
      records.map(({ cursor }) => cursor),
      records.map(({ cursorAt }) => cursorAt),
      records.map(({ releases }) => releases),
      records.flatMap(({ attempts }, index) => attempts.map(() => index + 1)),
      ...columnsOf(records.flatMap(({ attempts }) => attempts)),
    ];
    const statement = isAlone ? recordOne : record;
    const rows = await this.sql.rows<{ position: number }>(statement, values);
    const recorded = new Set(rows.map(({ position }) => position));
    return records.map((_, index) => (recorded.has(index + 1) ? true : undefined));
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

  /** Logs an event about a webhook. The operations endpoint itself causes none. */
  private async notify(
    sql: SqlExecutor,
    type: DeliveryNoticeType,
    { id, sourceId }: LeasedEndpoint,
    details: object,
  ): Promise<void> {
    if (sourceId === OPERATIONS_SOURCE || id === KEY_SERVICE_ENDPOINT) return;
    const data = JSON.stringify({ endpoint_id: id, source_id: sourceId, ...details });
    await sql.rows(this.log.insertOne, [OPERATIONS_SOURCE, type, data]);
  }
}

/** In seconds, because the clock of the database decides when an endpoint is due. */
function delayOf(nextAttemptAt: HealthChange['nextAttemptAt']): number {
  if (nextAttemptAt === null) return Infinity;
  return nextAttemptAt === 'now' ? -Infinity : (nextAttemptAt.getTime() - Date.now()) / 1_000;
}

function claimOf({ claim }: ClaimRow): Claim {
  return {
    ...claim,
    failingSince: timeOf(claim.failingSince),
    lastSuccessAt: timeOf(claim.lastSuccessAt),
    nextAttemptAt: timeOf(claim.nextAttemptAt),
    cursorAt: new Date(claim.cursorAt),
    events: (claim.events ?? []).map((event) => ({
      ...event,
      createdAt: new Date(event.createdAt),
    })),
  };
}

function timeOf(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}
