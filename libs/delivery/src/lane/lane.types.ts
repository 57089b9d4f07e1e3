import { type EndpointHealth, type EndpointSettings } from '../endpoints/endpoint.types.js';
import { type StoredEvent } from '../log/event-log.types.js';

/** An endpoint under the lease of a run. */
export interface LeasedEndpoint
  extends
    EndpointHealth,
    Pick<EndpointSettings, 'url' | 'types' | 'secretSealed' | 'headersSealed' | 'logsAttempts'>,
    Pick<EndpointSettings, 'onPoison' | 'enabled'> {
  id: string;
  sourceId: string;
  previousSecretSealed: string | null;
  /** Changes with the settings: an outcome counts only for the settings that it was got with. */
  revision: number;
  cursor: string;
  cursorAt: Date;
  /** Attempts that refused the event after the cursor. */
  refusals: number;
  openReplays: number;
}

/** An endpoint that a run has asked for, with its next events. */
export interface Claim extends LeasedEndpoint {
  runId: string;
  /** Whether the run holds the endpoint: only with events or an open replay. */
  isLeased: boolean;
  /** Whether the next attempt is not due yet. */
  isWaiting: boolean;
  /** The number up to which the log is known now. */
  horizon: string;
  /** Whether a writer is under way, so that newer events cannot be read yet. */
  isBlocked: boolean;
  /** Whether more events can be read after these. */
  hasMore: boolean;
  events: PendingEvent[];
  /** What the owner needs of the source to make the bodies of its events, see `addLaneClaims`. */
  source: unknown;
  /** The ids of the endpoints of its source that may run now, oldest first. */
  ofSource: string[];
}

/** Where a run reads: the log from the cursor of the endpoint, or the part of it that a replay sends. */
export interface Track {
  /** Null: the endpoint's own cursor. */
  replayId: string | null;
  cursor: string;
  cursorAt: Date;
  /** The last event of a replay. */
  until: string | null;
  types: readonly string[] | null;
  refusals: number;
}

export type Replay = Track & { replayId: string; until: string };

/** One attempt to deliver an event. */
export interface Attempt {
  url: string;
  at: Date;
  statusCode: number | null;
  durationMs: number;
  error: string | null;
  /** Set only if the endpoint logs its attempts. */
  payload: string | null;
  response: string | null;
}

export interface PendingEvent<Type extends string = string> extends StoredEvent<Type> {
  /** The trace in which it was logged, if that is recorded. */
  traceparent: string | null;
}

/**
 * Why a run ended. `idle`: no pending events; `waiting`: the next attempt is not due yet; `yielded`:
 * its turn is over; `busy`: another worker holds the lane.
 */
export type LaneRun =
  { reason: 'idle' | 'yielded' | 'busy' } | { reason: 'waiting'; retryAt: Date };

/** Undelivered events of all endpoints of a system. */
export interface Backlog {
  /** Endpoints with undelivered events, those that are paused left out. */
  waiting: number;
  /** The age of the oldest of these events; 0 if there are none. */
  oldestAgeSeconds: number;
  /** Undelivered events that are not waiting after a failure: work for a worker now. */
  due: number;
  oldestDueAgeSeconds: number;
  paused: number;
  parked: number;
}
