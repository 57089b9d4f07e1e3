/**
 * Delivers the events of one directory in sequence. A lane is protected by a lease, so two workers
 * never deliver it at once, even if the queue hands it out twice. A failed event waits for its next
 * attempt, and the events behind it in the lane wait too.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type DirectorySecrets } from '../directories/directory-secrets.js';
import { eventPayload } from '../events/event.view.js';
import type { SyncLogger } from '../sync-logger.js';
import {
  type Attempt,
  LaneRepository,
  type LaneTarget,
  type Outcome,
  type PendingEvent,
} from './lane.repository.js';
import { type OutboundAnswer, type OutboundClient, OutboundError } from '@gatehouse/delivery';
import { retryDelaySeconds } from '@gatehouse/delivery';
import { webhookHeaders } from '@gatehouse/delivery';

export interface LaneSettings {
  retryScheduleSeconds: readonly number[];
  timeoutSeconds: number;
}

export interface LaneDependencies {
  lanes: LaneRepository;
  secrets: DirectorySecrets;
  outbound: OutboundClient;
  settings: LaneSettings;
  logger: SyncLogger;
  /** Called after each attempt, for metrics. */
  onAttempt?: (outcome: Outcome['state'], durationSeconds: number) => void;
}

/**
 * Why a run ended. `idle`: no pending events; `waiting`: the next attempt is not due yet;
 * `yielded`: its time slice is over; `busy`: another worker holds the lane.
 */
export type LaneRun =
  { reason: 'idle' | 'yielded' | 'busy' } | { reason: 'waiting'; retryAt: Date };

const BATCH_EVENTS = 100;
/**
 * Stored size. A hundred events of ordinary users are far smaller; the largest would fill the heap.
 */
const BATCH_BYTES = 1024 * 1024;
const TURN_MS = 20_000;
const LEASE_MARGIN_SECONDS = 10;
const LOGGED_RESPONSE_BYTES = 2_048;
const HORIZON_POLL_MS = 10;
const GONE = 410;

export class Lane {
  constructor(
    private readonly directoryId: string,
    private readonly runId: string,
    private readonly dependencies: LaneDependencies,
  ) {}

  /** Delivers pending events until the signal aborts, for at most twenty seconds. */
  async run(signal?: AbortSignal): Promise<LaneRun> {
    const lease = await this.lease();
    if (!lease) return { reason: 'busy' };
    try {
      if (lease.nextAttemptAt && lease.nextAttemptAt.getTime() > Date.now()) {
        return { reason: 'waiting', retryAt: lease.nextAttemptAt };
      }
      return await this.deliverAll(performance.now() + TURN_MS, signal);
    } finally {
      await this.dependencies.lanes.release(this.directoryId, this.runId);
    }
  }

  private async deliverAll(endOfTurn: number, signal?: AbortSignal): Promise<LaneRun> {
    const { lanes } = this.dependencies;
    for (;;) {
      const target = await lanes.target(this.directoryId);
      if (!target) {
        await lanes.giveUpPending(this.directoryId);
        return { reason: 'idle' };
      }
      const { events, hasMoreBeyondHorizon } = await lanes.pending(
        this.directoryId,
        BATCH_EVENTS,
        BATCH_BYTES,
      );
      if (events.length === 0 && !hasMoreBeyondHorizon) return { reason: 'idle' };
      if (events.length === 0) await sleep(HORIZON_POLL_MS);
      for (const event of events) {
        const next = await this.deliver(target, event);
        if (next === 'reload' || signal?.aborted) break;
        if (next !== 'continue') return next;
      }
      if (signal?.aborted || performance.now() > endOfTurn) return { reason: 'yielded' };
    }
  }

  /** Returns how to go on: with the next event, after reloading the directory, or not at all. */
  private async deliver(
    target: LaneTarget,
    event: PendingEvent,
  ): Promise<LaneRun | 'continue' | 'reload'> {
    const { lanes, onAttempt } = this.dependencies;
    if (!(await this.lease())) return { reason: 'busy' };
    const startedAt = performance.now();
    const { answer, attempt } = await this.send(target, event, startedAt);
    const outcome = await this.outcomeOf(target, event, answer);
    onAttempt?.(outcome.state, (performance.now() - startedAt) / 1000);
    const { directoryId, runId } = this;
    if (!(await lanes.record(directoryId, runId, event, outcome, attempt, target.endpoint))) {
      return { reason: 'busy' };
    }
    if (outcome.state === 'pending') return { reason: 'waiting', retryAt: outcome.retryAt };
    return outcome.state === 'not_sent' ? 'reload' : 'continue';
  }

  private async send(target: LaneTarget, event: PendingEvent, startedAt: number) {
    const body = JSON.stringify(eventPayload(event, target));
    const headers = webhookHeaders(event.id, body, this.secretsOf(target));
    const timeoutMs = this.dependencies.settings.timeoutSeconds * 1000;
    let answer: OutboundAnswer | undefined;
    let error: string | null = null;
    try {
      answer = await this.dependencies.outbound.post(target.endpoint, headers, body, timeoutMs);
      if (!isSuccess(answer.status)) error = `the endpoint answered ${answer.status}`;
    } catch (thrown) {
      if (!(thrown instanceof OutboundError)) throw thrown;
      error = thrown.message;
    }
    const response = answer === undefined ? null : cleanText(answer.text);
    const attempt: Attempt = {
      statusCode: answer?.status ?? null,
      durationMs: Math.round(performance.now() - startedAt),
      error,
      log: target.logsAttempts ? { endpoint: target.endpoint, payload: body, response } : null,
    };
    return { answer, attempt };
  }

  /** A 410 stops the webhook, unless the directory has another address by now. */
  private async outcomeOf(
    { endpoint }: LaneTarget,
    event: PendingEvent,
    answer: OutboundAnswer | undefined,
  ): Promise<Outcome> {
    if (answer && isSuccess(answer.status)) return { state: 'delivered' };
    const { lanes } = this.dependencies;
    const isStopped =
      answer?.status === GONE && (await lanes.stopWebhook(this.directoryId, endpoint));
    if (isStopped) return { state: 'not_sent' };
    const { retryScheduleSeconds } = this.dependencies.settings;
    const seconds = retryDelaySeconds(event.attempts + 1, retryScheduleSeconds, answer?.retryAfter);
    if (seconds === undefined) return { state: 'dead' };
    return { state: 'pending', retryAt: new Date(Date.now() + seconds * 1000) };
  }

  private secretsOf({ secretSealed, previousSecretSealed }: LaneTarget): string[] {
    return [secretSealed, previousSecretSealed]
      .filter((sealed) => sealed !== null)
      .map((sealed) => this.dependencies.secrets.open(this.directoryId, 'webhook_secret', sealed));
  }

  /** Renewed before each attempt, for longer than an attempt can take. */
  private lease() {
    const seconds = this.dependencies.settings.timeoutSeconds + LEASE_MARGIN_SECONDS;
    return this.dependencies.lanes.lease(this.directoryId, this.runId, seconds);
  }
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** The start of a response, without the NUL characters that PostgreSQL cannot store. */
function cleanText(text: string): string {
  const start = Buffer.from(text).subarray(0, LOGGED_RESPONSE_BYTES).toString('utf8');
  return start.replaceAll('\0', '');
}
