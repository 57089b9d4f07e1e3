/**
 * Delivers the events of one endpoint in sequence, and beside them the events of its replays. A lease
 * protects the lane, so two workers never deliver it at once, even if the queue hands it out twice.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type EndpointKey, KEY_SERVICE_ENDPOINT } from '../endpoints/endpoint.types.js';
import { type DeliveryLogger, type DeliverySystem } from '../system.js';
import { attemptsOf, FailedDeliveries, type FailureSettings } from './failed-deliveries.js';
import { deliverInternally } from './internal-delivery.js';
import { type LaneRepository } from './lane.repository.js';
import {
  type Claim,
  type LaneRun,
  type LeasedEndpoint,
  type PendingEvent,
  type Track,
} from './lane.types.js';
import { type Leases } from './leases.js';
import { noticePayload } from './notice.view.js';
import { Recorder } from './recorder.js';
import { type Sender, type Sent } from './sender.js';
import { type SourceEndpoints } from './source-endpoints.js';
import { OPERATIONS_SOURCE } from '../log/event-log.types.js';

export interface LaneSettings extends FailureSettings {
  timeoutSeconds: number;
  /** After this time a lane gives way to others, at the end of its attempt. */
  turnSeconds: number;
  /** Events of one request; 0: each event alone, not in an array. */
  batchSize: number;
}

export interface LaneDependencies {
  system: DeliverySystem;
  lanes: LaneRepository;
  leases: Leases;
  endpoints: SourceEndpoints;
  sender: Sender;
  settings: LaneSettings;
  logger: DeliveryLogger;
  /** Called after each attempt, for metrics. */
  onAttempt?: (verdict: Sent['verdict'], durationSeconds: number, events: number) => void;
}

/** Events of a track, their bodies, and what records their delivery. */
interface Delivery {
  endpoint: LeasedEndpoint;
  track: Track;
  events: readonly PendingEvent[];
  bodies: readonly object[];
  recorder: Recorder;
  /** Where to leave the track if nothing is left to do after these events; null if something is. */
  end: string | null;
}

/** `done`: all events were delivered. */
type Step = LaneRun | 'continue' | 'done';

/** An endpoint that takes longer gets one request in each turn. */
const SLOW_MS = 1_000;
const HORIZON_POLL_MS = 10;

export class Lane {
  private isLeased = false;
  private isLost = false;
  private isSlow = false;
  private endOfTurn = Infinity;
  /** A request with several events was refused: only one at a time shows which it is. */
  private isSingly = false;
  /**
   * Until one write has succeeded, record after each delivery, so that an unavailable database causes
   * at most one duplicate.
   */
  private hasRecorded = false;
  private readonly failures: FailedDeliveries;

  constructor(
    private readonly key: EndpointKey,
    private readonly runId: string,
    private readonly dependencies: LaneDependencies,
  ) {
    this.failures = new FailedDeliveries(runId, dependencies);
  }

  /** Delivers pending events until the signal aborts, for one turn at most. */
  async takeTurn(signal?: AbortSignal): Promise<LaneRun> {
    this.endOfTurn = performance.now() + this.dependencies.settings.turnSeconds * 1_000;
    try {
      for (;;) {
        const step = await this.step(signal);
        if (typeof step === 'object') return step;
        if (step === 'done') return { reason: 'idle' };
        if (this.isOver(signal)) return { reason: 'yielded' };
      }
    } finally {
      await this.release();
    }
  }

  /** Claims the lane and delivers what the claim has read, and the next part of a replay. */
  private async step(signal: AbortSignal | undefined): Promise<Step> {
    const claim = await this.claim();
    if (!claim) return { reason: 'busy' };
    if (!claim.isLeased) return this.stepWithoutLease(claim);
    this.keepLease();
    if (signal?.aborted) return { reason: 'yielded' };
    const hasReplay = claim.openReplays > 0;
    const isLast = !claim.hasMore && !claim.isBlocked && !hasReplay;
    if (claim.events.length > 0) {
      const track = { ...claim, replayId: null, until: null };
      const end = isLast ? this.endOf(claim) : null;
      const step = await this.deliver(claim, track, claim.events, end, signal);
      if (step !== 'done' || isLast) return step;
    }
    if (signal?.aborted) return { reason: 'yielded' };
    return hasReplay ? this.stepOfReplay(claim, signal) : 'continue';
  }

  private async claim(): Promise<Claim | undefined> {
    const { lanes, endpoints } = this.dependencies;
    const { sourceId } = this.key;
    const claim = await lanes.claim(this.key, this.runId);
    endpoints.keep(sourceId, claim?.ofSource);
    return claim;
  }

  /** Events of other types need no delivery. */
  private endOf({ types, horizon, events }: Claim): string | null {
    return types === null ? (events.at(-1)?.sequence ?? null) : horizon;
  }

  private async stepWithoutLease(claim: Claim): Promise<Step> {
    this.dependencies.leases.forget(this.runId);
    this.isLeased = false;
    if (!claim.enabled) return 'done';
    if (claim.isWaiting) {
      const { nextAttemptAt: retryAt } = claim;
      return retryAt ? { reason: 'waiting', retryAt } : 'done';
    }
    if (!claim.isBlocked) return 'done';
    await sleep(HORIZON_POLL_MS);
    return 'continue';
  }

  private async stepOfReplay(endpoint: Claim, signal: AbortSignal | undefined): Promise<Step> {
    const { lanes } = this.dependencies;
    const replay = await lanes.openReplay(endpoint);
    if (!replay) return endpoint.hasMore || endpoint.isBlocked ? 'continue' : 'done';
    const events = await lanes.replayed(endpoint.sourceId, replay);
    if (events.length === 0) {
      await lanes.closeReplay(endpoint, replay.replayId);
      return 'continue';
    }
    const step = await this.deliver(endpoint, replay, events, null, signal);
    return step === 'done' ? 'continue' : step;
  }

  private isOver(signal: AbortSignal | undefined): boolean {
    return signal?.aborted || this.isSlow || performance.now() > this.endOfTurn;
  }

  private keepLease(): void {
    if (this.isLeased) return;
    this.isLeased = true;
    this.isLost = false;
    // An attempt may take longer than the lease.
    this.dependencies.leases.keep(this.key, this.runId, () => {
      this.isLost = true;
    });
  }

  private async release(): Promise<void> {
    this.dependencies.leases.forget(this.runId);
    if (this.isLeased) await this.dependencies.lanes.release(this.key, this.runId);
  }

  private async deliver(
    endpoint: Claim,
    track: Track,
    events: readonly PendingEvent[],
    end: string | null,
    signal: AbortSignal | undefined,
  ): Promise<Step> {
    const bodies = this.bodiesOf(endpoint, events);
    if (bodies === null) return { reason: 'idle' };
    const { replayId } = track;
    const recorder = new Recorder((delivered) => {
      const { key, runId } = this;
      return this.dependencies.lanes.record({ endpoint: key, runId, replayId, ...delivered });
    });
    try {
      return await this.deliverBodies({ endpoint, track, events, bodies, recorder, end }, signal);
    } finally {
      // A shutdown that cuts off an attempt must not lose the deliveries before it.
      await recorder.settle();
      if (recorder.hasReleased) this.isLeased = false;
    }
  }

  private async deliverBodies(
    { endpoint, track, events, bodies, recorder, end }: Delivery,
    signal: AbortSignal | undefined,
  ): Promise<Step> {
    const { lanes } = this.dependencies;
    const size = this.requestSize(events);
    let isFirst = true;
    for (let start = 0; start < events.length; start += size) {
      // Each track sends at least one request in each turn.
      if (start > 0 && this.isOver(signal)) {
        return (await recorder.settle()) ? 'continue' : { reason: 'busy' };
      }
      if (this.isLost) return { reason: 'busy' };
      const part = events.slice(start, start + size);
      const sent = await this.send(endpoint, part, bodies.slice(start, start + size));
      if (sent.verdict !== 'delivered') {
        if (!(await recorder.settle())) return { reason: 'busy' };
        const refusals = isFirst ? track.refusals : 0;
        const failed = { endpoint, track: { ...track, refusals }, events: part, sent };
        const step = await this.failures.handle(failed);
        if (step !== 'single') return step;
        this.isSingly = true;
        return 'continue';
      }
      if (endpoint.state !== 'healthy') {
        await lanes.recover(endpoint);
        const healthy = {
          state: 'healthy',
          reason: null,
          failures: 0,
          failingSince: null,
        } as const;
        Object.assign(endpoint, healthy, { nextAttemptAt: null });
      }
      isFirst = false;
      const last = part.at(-1) as PendingEvent;
      const isEnd = start + size >= events.length;
      const delivered = {
        cursor: (isEnd ? end : null) ?? last.sequence,
        cursorAt: last.createdAt,
        attempts: this.isInternal ? [] : attemptsOf(part, sent),
      };
      if (!(await recorder.add(delivered))) return { reason: 'busy' };
      if (!isEnd && !this.hasRecorded && !(await recorder.settle())) return { reason: 'busy' };
      this.hasRecorded = true;
    }
    return (await (end === null ? recorder.settle() : recorder.finish()))
      ? 'done'
      : { reason: 'busy' };
  }

  private async send(
    endpoint: LeasedEndpoint,
    events: readonly PendingEvent[],
    bodies: readonly object[],
  ): Promise<Sent> {
    const { system, onAttempt } = this.dependencies;
    const sent = this.isInternal
      ? await deliverInternally(system.internal, endpoint.sourceId, events)
      : await this.sendWebhook(endpoint, events, bodies);
    const { durationMs } = sent.attempt;
    if (durationMs > SLOW_MS) this.isSlow = true;
    onAttempt?.(sent.verdict, durationMs / 1_000, events.length);
    return sent;
  }

  private sendWebhook(
    endpoint: LeasedEndpoint,
    events: readonly PendingEvent[],
    bodies: readonly object[],
  ): Promise<Sent> {
    const { settings, sender } = this.dependencies;
    const [{ id }] = events as [PendingEvent];
    const isBatch = settings.batchSize > 0;
    const messageId = events.length > 1 ? `${id}+${events.length - 1}` : id;
    const message = {
      id: messageId,
      body: JSON.stringify(isBatch ? bodies : bodies[0]),
      events: events.length,
      traceparents: events.map(({ traceparent }) => traceparent),
    };
    return sender.send(endpoint, message);
  }

  /** How many events are sent at once. */
  private requestSize(events: readonly PendingEvent[]): number {
    if (this.isInternal) return events.length;
    return this.isSingly ? 1 : Math.max(1, this.dependencies.settings.batchSize);
  }

  private get isInternal(): boolean {
    return this.key.id === KEY_SERVICE_ENDPOINT;
  }

  private bodiesOf(
    { sourceId, source }: Claim,
    events: readonly PendingEvent[],
  ): readonly object[] | null {
    if (this.isInternal) return [];
    if (sourceId === OPERATIONS_SOURCE) return events.map(noticePayload);
    return this.dependencies.system.payloads(sourceId, events, source);
  }
}
