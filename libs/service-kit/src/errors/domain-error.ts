/**
 * The one error of the domain. Its kind fixes the HTTP status and how loudly it is logged;
 * its message is public, its cause is not. Each protocol has one filter that writes it out.
 */
export type ErrorKind = keyof typeof STATUSES;

/** A fault of one field: its path as the caller wrote it, and what it must be. */
export interface FieldViolation {
  field: string;
  description: string;
}

export interface DomainErrorOptions {
  /** The field faults behind an invalid argument. */
  violations?: readonly FieldViolation[];
  /** Public facts for a program, such as `{ limit: "10" }`. */
  metadata?: Readonly<Record<string, string>>;
  /** When to try again, in seconds. */
  retryAfterSeconds?: number;
  /** Headers that belong to the answer, such as `Allow`. */
  headers?: Readonly<Record<string, string>>;
  cause?: unknown;
}

const STATUSES = {
  invalid_argument: 400,
  unauthenticated: 401,
  payment_required: 402,
  permission_denied: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  already_exists: 409,
  failed_precondition: 409,
  gone: 410,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  expectation_failed: 417,
  unprocessable: 422,
  rate_limited: 429,
  header_too_large: 431,
  internal: 500,
  bad_gateway: 502,
  unavailable: 503,
  deadline_exceeded: 504,
} as const satisfies Record<string, number>;

export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly violations: readonly FieldViolation[];
  readonly metadata: Readonly<Record<string, string>>;
  readonly retryAfterSeconds: number | undefined;
  readonly headers: Readonly<Record<string, string>>;

  /**
   * @param kind which class of fault; it fixes the HTTP status and the level in the log
   * @param code stable reason in UPPER_SNAKE_CASE, for programs
   * @param message for people; never holds a credential nor what the caller may not know
   */
  constructor(
    readonly kind: ErrorKind,
    readonly code: string,
    message: string,
    options: DomainErrorOptions = {},
  ) {
    super(message, { cause: options.cause });
    this.violations = options.violations ?? [];
    this.metadata = options.metadata ?? {};
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.headers = options.headers ?? {};
  }

  get httpStatus(): number {
    return STATUSES[this.kind];
  }

  /** `debug` for a caller's mistake: the request log has a line for it already. */
  get logLevel(): 'debug' | 'warn' | 'error' {
    if (this.kind === 'internal') {
      return 'error';
    }
    return this.httpStatus >= 500 ? 'warn' : 'debug';
  }
}
