/**
 * `healthy`; `failing`: retried by the schedule; `paused`: the schedule is over, one probe an hour, or
 * an administrator paused it; `stopped`: the receiver answered 410 and gets no more events.
 */
export type EndpointState = 'healthy' | 'failing' | 'paused' | 'stopped';

/** Handling of an event that a receiver refuses while it accepts others. */
export type PoisonPolicy = 'park' | 'block';

/** The settings of an endpoint. Secrets are sealed by the owner of the system. */
export interface EndpointSettings {
  url: string;
  /** Event types to deliver; null: all. */
  types: readonly string[] | null;
  secretSealed: string | null;
  headersSealed: string | null;
  /** Whether attempts keep their payload and the start of the response. */
  logsAttempts: boolean;
  onPoison: PoisonPolicy;
  enabled: boolean;
}

export interface EndpointHealth {
  state: EndpointState;
  /** Why the endpoint is not healthy. */
  reason: string | null;
  /** Attempts that failed since the last success. */
  failures: number;
  failingSince: Date | null;
  lastSuccessAt: Date | null;
  /** Null: as soon as there is an event, or never if the endpoint is paused by hand or stopped. */
  nextAttemptAt: Date | null;
}

/** Names an endpoint: its id is looked up together with its source. */
export type EndpointKey = Pick<Endpoint, 'id' | 'sourceId'>;

/** A receiver of the events of one source. */
export interface Endpoint extends EndpointSettings, EndpointHealth {
  id: string;
  sourceId: string;
  /** The secret before the last rotation, while it still signs. */
  previousSecretSealed: string | null;
  createdAt: Date;
  updatedAt: Date;
}

/**
 * The endpoint through which the key service learns what became of the people of a source, the same for
 * all sources. It is no webhook: administrators neither see nor change it.
 */
export const KEY_SERVICE_ENDPOINT = '00000000-0000-4000-8000-000000000004';
