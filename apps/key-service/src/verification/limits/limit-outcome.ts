/** Results of the limits of a verification. */

/** A limit after a verification was counted. */
export interface LimitState {
  readonly name: string;
  readonly quota: string;
  /** Undefined when it could not be counted. */
  readonly remaining: string | undefined;
  /** When all of the quota is there again (RFC 3339); undefined when it could not be counted. */
  readonly resetTime: string | undefined;
  /** Whole seconds until then, rounded up. */
  readonly resetAfterSeconds: number;
  /** Whether this limit refused. */
  readonly isExceeded: boolean;
  /** Until the same cost can be admitted; undefined if it was admitted, or never can be. */
  readonly retryAfterMs: number | undefined;
}

export interface LimitOutcome {
  /** False if a limit refused; then none was charged. */
  readonly isAdmitted: boolean;
  /** The default limit first. */
  readonly states: readonly LimitState[];
  /** All limits as `RateLimit-Policy` writes them. */
  readonly policies: string;
}
