/**
 * Delivers the events of one endpoint in sequence, and beside them the events of its replays. A lease
 * protects the lane, so two workers never deliver it at once, even if the queue hands it out twice.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type EndpointKey } from '../endpoints/endpoint.types.js';
import { type DeliveryLogger, type DeliverySystem } from '../system.js';
import { attemptsOf, FailedDeliveries, type FailureSettings } from './failed-deliveries.js';
import { type LaneRepository } from './lane.repository.js';
import { type LaneRun, type LeasedEndpoint, type PendingEvent, type Track } from './lane.types.js';
import { type Leases } from './leases.js';
import { noticePayload } from './notice.view.js';
import { Recorder } from './recorder.js';
import { type Sender, type Sent } from './sender.js';
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
  sender: Sender;
  settings: LaneSettings;
  logger: DeliveryLogger;
  /** Called after each attempt, for metrics. */
  onAttempt?: (verdict: Sent['verdict'], durationSeconds: number, events: number) => void;
}

/** An endpoint, and whether its next attempt is not due yet. */
type RunEndpoint = LeasedEndpoint & { isWaiting: boolean };

/** Events of a track, their bodies, and what records their delivery. */
interface Delivery {
  endpoint: LeasedEndpoint;
  track: Track;
  events: readonly PendingEvent[];
  bodies: readonly object[];
  recorder: Recorder;
}

/** `done`: nothing is left of the track. */
type Step = LaneRun | 'continue' | 'done';

const READ_EVENTS = 100;
/** A hundred events of ordinary users are far smaller; the largest would fill the heap. */
const READ_BYTES = 1024 * 1024;
/** An endpoint that takes longer gets one request in each turn. */
const SLOW_MS = 1_000;
const HORIZON_POLL_MS = 10;

export class Lane {
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
    const endpoint = await this.lease();
    if (!endpoint) return { reason: 'busy' };
    const { leases } = this.dependencies;
    // An attempt may take longer than the lease.
    leases.keep(this.key, this.runId, () => {
      this.isLost = true;
    });
    try {
      return await this.deliverAll(endpoint, signal);
    } finally {
      await leases.release(this.key, this.runId);
    }
  }

  private async deliverAll(first: RunEndpoint, signal?: AbortSignal): Promise<LaneRun> {
    this.endOfTurn = performance.now() + this.dependencies.settings.turnSeconds * 1_000;
    for (let endpoint: RunEndpoint | undefined = first; ; endpoint = await this.lease()) {
      if (!endpoint) return { reason: 'busy' };
      // Since the last step it may have been turned off or paused.
      if (!endpoint.enabled) return { reason: 'idle' };
      if (endpoint.isWaiting) {
        const { nextAttemptAt: retryAt } = endpoint;
        return retryAt ? { reason: 'waiting', retryAt } : { reason: 'idle' };
      }
      const steps: Step[] = [];
      for (const track of await this.tracksOf(endpoint)) {
        if (signal?.aborted) return { reason: 'yielded' };
        const step = await this.step(endpoint, track, signal);
        if (typeof step === 'object') return step;
        steps.push(step);
      }
      if (steps.every((step) => step === 'done')) return { reason: 'idle' };
      if (this.isOver(signal)) return { reason: 'yielded' };
    }
  }

  private isOver(signal: AbortSignal | undefined): boolean {
    return signal?.aborted || this.isSlow || performance.now() > this.endOfTurn;
  }

  private async tracksOf(endpoint: LeasedEndpoint): Promise<Track[]> {
    const main = { ...endpoint, replayId: null, until: null };
    if (endpoint.openReplays === 0) return [main];
    const replay = await this.dependencies.lanes.openReplay(endpoint);
    return replay ? [main, replay] : [main];
  }

  /** Delivers the next events of a track. */
  private async step(
    endpoint: LeasedEndpoint,
    track: Track,
    signal: AbortSignal | undefined,
  ): Promise<Step> {
    const { lanes, settings } = this.dependencies;
    const limit = Math.max(READ_EVENTS, settings.batchSize);
    const { sourceId } = endpoint;
    const { events, horizon, isBlocked } = await lanes.pending(sourceId, track, limit, READ_BYTES);
    if (events.length > 0) return this.deliver(endpoint, track, events, signal);
    if (track.replayId !== null) {
      await lanes.closeReplay(endpoint, track.replayId);
    } else if (track.types !== null && BigInt(horizon) > BigInt(track.cursor)) {
      const behind = { replayId: null, cursor: horizon, cursorAt: null };
      await lanes.advance(endpoint, this.runId, behind, []);
    }
    if (!isBlocked) return 'done';
    await sleep(HORIZON_POLL_MS);
    return 'continue';
  }

  private async deliver(
    endpoint: LeasedEndpoint,
    track: Track,
    events: readonly PendingEvent[],
    signal: AbortSignal | undefined,
  ): Promise<Step> {
    const bodies = await this.bodiesOf(endpoint.sourceId, events);
    if (bodies === null) return { reason: 'idle' };
    const { replayId } = track;
    const recorder = new Recorder(({ attempts, ...position }) =>
      this.dependencies.lanes.advance(endpoint, this.runId, { replayId, ...position }, attempts),
    );
    try {
      return await this.deliverBodies({ endpoint, track, events, bodies, recorder }, signal);
    } finally {
      // A shutdown that cuts off an attempt must not lose the deliveries before it.
      await recorder.settle();
    }
  }

  private async deliverBodies(
    { endpoint, track, events, bodies, recorder }: Delivery,
    signal: AbortSignal | undefined,
  ): Promise<Step> {
    const { lanes, settings } = this.dependencies;
    const size = this.isSingly ? 1 : Math.max(1, settings.batchSize);
    let isFirst = true;
    for (let start = 0; start < events.length; start += size) {
      // Each track sends at least one request in each turn.
      if (start > 0 && this.isOver(signal)) break;
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
      const delivered = {
        cursor: last.sequence,
        cursorAt: last.createdAt,
        attempts: attemptsOf(part, sent),
      };
      const isHeld = await recorder.add(delivered);
      if (!isHeld || !(this.hasRecorded || (await recorder.settle()))) return { reason: 'busy' };
      this.hasRecorded = true;
    }
    return (await recorder.settle()) ? 'continue' : { reason: 'busy' };
  }

  private async send(
    endpoint: LeasedEndpoint,
    events: readonly PendingEvent[],
    bodies: readonly object[],
  ): Promise<Sent> {
    const { settings, sender, onAttempt } = this.dependencies;
    const [{ id }] = events as [PendingEvent];
    const isBatch = settings.batchSize > 0;
    const messageId = events.length > 1 ? `${id}+${events.length - 1}` : id;
    const message = {
      id: messageId,
      body: JSON.stringify(isBatch ? bodies : bodies[0]),
      events: events.length,
      traceparents: events.map(({ traceparent }) => traceparent),
    };
    const sent = await sender.send(endpoint, message);
    const { durationMs } = sent.attempt;
    if (durationMs > SLOW_MS) this.isSlow = true;
    onAttempt?.(sent.verdict, durationMs / 1_000, events.length);
    return sent;
  }

  private bodiesOf(
    sourceId: string,
    events: readonly PendingEvent[],
  ): Promise<readonly object[] | null> {
    if (sourceId === OPERATIONS_SOURCE) return Promise.resolve(events.map(noticePayload));
    return this.dependencies.system.payloads(sourceId, events);
  }

  private lease() {
    return this.dependencies.leases.take(this.key, this.runId);
  }
}
