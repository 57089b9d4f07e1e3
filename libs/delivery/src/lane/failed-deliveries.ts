/** Decides what a failed attempt means for its endpoint and its events, and records it. */
import { KEY_SERVICE_ENDPOINT } from '../endpoints/endpoint.types.js';
import { healthAfterFailure } from './endpoint-health.js';
import { healthAfterInternalFailure } from './internal-delivery.js';
import { type LoggedAttempt } from './attempt-columns.js';
import { type HealthChange, type LaneRepository } from './lane.repository.js';
import { type LaneRun, type LeasedEndpoint, type PendingEvent, type Track } from './lane.types.js';
import { retryDelaySeconds } from './retry-delay.js';
import { type Sender, type Sent } from './sender.js';

export interface FailureSettings {
  retryScheduleSeconds: readonly number[];
  /** Attempts that refuse an event before it counts as poisoned. */
  eventAttempts: number;
}

interface FailureDependencies {
  lanes: LaneRepository;
  sender: Sender;
  settings: FailureSettings;
}

/** A request that failed: one event, or all that were sent together. */
export interface Failed {
  endpoint: LeasedEndpoint;
  track: Track;
  events: readonly PendingEvent[];
  sent: Sent;
}

/** `single`: the events must be sent one by one to find the one that is refused. */
type Decision = LaneRun | 'continue' | 'single';

export class FailedDeliveries {
  constructor(
    private readonly runId: string,
    private readonly dependencies: FailureDependencies,
  ) {}

  /** @returns how the run goes on, or that it ends */
  async handle(failed: Failed): Promise<Decision> {
    const { endpoint, track, events, sent } = failed;
    if (endpoint.id === KEY_SERVICE_ENDPOINT) {
      const health = { ...healthAfterInternalFailure(endpoint), reason: sent.attempt.error };
      return this.wait({ ...failed, events: [] }, health);
    }
    if (sent.verdict === 'gone') return this.stop(failed);
    if (sent.verdict === 'down') return this.backOff(failed);
    if (events.length > 1) return 'single';
    const refused = { ...failed, track: { ...track, refusals: track.refusals + 1 } };
    return sent.verdict === 'aborted' ? this.park(refused) : this.refuse(refused);
  }

  /** Tries the event again, until it is clear whether the event is the cause or the endpoint. */
  private async refuse(failed: Failed): Promise<Decision> {
    const { endpoint, track, sent } = failed;
    const { sender, settings } = this.dependencies;
    const seconds = retryDelaySeconds(
      track.refusals,
      settings.retryScheduleSeconds,
      sent.retryAfter,
    );
    if (track.refusals < settings.eventAttempts && seconds !== undefined) {
      const retryAt = new Date(Date.now() + seconds * 1_000);
      return this.wait(failed, { ...endpoint, nextAttemptAt: retryAt });
    }
    const pinged = await sender.ping(endpoint);
    if (pinged.verdict !== 'delivered') return this.backOff(failed, pinged);
    return endpoint.onPoison === 'park' ? this.park(failed) : this.backOff(failed);
  }

  /** @param cause the request whose failure says how the endpoint is */
  private backOff(failed: Failed, cause = failed.sent): Promise<Decision> {
    const { retryScheduleSeconds } = this.dependencies.settings;
    const health = healthAfterFailure(failed.endpoint, retryScheduleSeconds, cause.retryAfter);
    return this.wait(failed, { ...health, reason: cause.attempt.error });
  }

  private async wait(
    { endpoint, track, events, sent }: Failed,
    health: HealthChange & { nextAttemptAt: Date },
  ): Promise<Decision> {
    const { lanes } = this.dependencies;
    const attempts = attemptsOf(events, sent);
    const isHeld = await lanes.recordFailure(endpoint, this.runId, track, attempts, health);
    return isHeld ? { reason: 'waiting', retryAt: health.nextAttemptAt } : { reason: 'busy' };
  }

  private async stop({ endpoint, track, events, sent }: Failed): Promise<Decision> {
    const { failures } = endpoint;
    const reason = 'the endpoint answered 410';
    const health = { state: 'stopped', reason, failures, nextAttemptAt: null } as const;
    const { lanes } = this.dependencies;
    const attempts = attemptsOf(events, sent);
    const isHeld = await lanes.recordFailure(endpoint, this.runId, track, attempts, health);
    // If its address has changed meanwhile, the endpoint is not stopped and the run goes on.
    return isHeld ? 'continue' : { reason: 'busy' };
  }

  private async park({ endpoint, track, events, sent }: Failed): Promise<Decision> {
    const [event] = events as [PendingEvent];
    const [attempt] = attemptsOf(events, sent) as [LoggedAttempt];
    const parked = { event, reason: sent.attempt.error ?? '', attempts: track.refusals };
    const { lanes } = this.dependencies;
    const isHeld = await lanes.park(endpoint, this.runId, track, parked, attempt);
    return isHeld ? 'continue' : { reason: 'busy' };
  }
}

/** The payload of a batch is logged once, with its first event. */
export function attemptsOf(events: readonly PendingEvent[], { attempt }: Sent): LoggedAttempt[] {
  return events.map(({ id }, index) => ({
    ...attempt,
    eventId: id,
    payload: index === 0 ? attempt.payload : null,
  }));
}
