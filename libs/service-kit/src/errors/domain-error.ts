/**
 * The one error of the domain. Its kind fixes the HTTP status and how loudly it is logged;
 * its message is public, its cause is not. Each protocol has one filter that writes it out.
 */
export type ErrorKind = keyof typeof KINDS;

export type ErrorLogLevel = 'debug' | 'info' | 'warn' | 'error';

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

const KINDS = {
  invalid_argument: { status: 400, level: 'debug' },
  unauthenticated: { status: 401, level: 'info' },
  payment_required: { status: 402, level: 'info' },
  permission_denied: { status: 403, level: 'info' },
  not_found: { status: 404, level: 'debug' },
  method_not_allowed: { status: 405, level: 'debug' },
  request_timeout: { status: 408, level: 'debug' },
  already_exists: { status: 409, level: 'debug' },
  failed_precondition: { status: 409, level: 'debug' },
  gone: { status: 410, level: 'debug' },
  precondition_failed: { status: 412, level: 'debug' },
  payload_too_large: { status: 413, level: 'info' },
  unsupported_media_type: { status: 415, level: 'debug' },
  expectation_failed: { status: 417, level: 'debug' },
  unprocessable: { status: 422, level: 'debug' },
  rate_limited: { status: 429, level: 'info' },
  header_too_large: { status: 431, level: 'info' },
  internal: { status: 500, level: 'error' },
  bad_gateway: { status: 502, level: 'warn' },
  unavailable: { status: 503, level: 'warn' },
  deadline_exceeded: { status: 504, level: 'warn' },
} as const satisfies Record<string, { status: number; level: ErrorLogLevel }>;

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
    return KINDS[this.kind].status;
  }

  get logLevel(): ErrorLogLevel {
    return KINDS[this.kind].level;
  }
}
