/**
 * The error type of all services. Its kind determines the HTTP status and the log level. Its code and
 * message are public; its cause is only logged. The `ErrorProtocol` of a service writes it.
 */
export type ErrorKind = keyof typeof STATUSES;

/** An invalid field: its path in the request, and what it must be. */
export interface FieldViolation {
  field: string;
  description: string;
}

/** One entry of a catalog; see `errorCodes`. */
export interface ErrorCode<Code extends string = string> {
  readonly code: Code;
  readonly kind: ErrorKind;
  /** For people; never contains a credential or anything else that the caller may not see. */
  readonly message: string;
}

export interface DomainErrorOptions {
  /** A more specific message than that of the code. */
  message?: string;
  /** The invalid fields, for `invalid_argument`. */
  violations?: readonly FieldViolation[];
  /** Public, machine-readable details, such as `{ limit: "10" }`. */
  metadata?: Readonly<Record<string, string>>;
  /** Seconds until a retry makes sense; 1 by default for `unavailable`. */
  retryAfterSeconds?: number;
  /** Headers of the response, such as `Allow`. */
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

/**
 * Makes the catalog of a service, whose keys are the codes. Codes are stable: clients match them.
 * docs/errors.md lists all catalogs.
 */
export function errorCodes<Code extends string>(
  catalog: Record<Code, Omit<ErrorCode, 'code'>>,
): { readonly [Each in Code]: ErrorCode<Each> } {
  const entries = Object.entries<Omit<ErrorCode, 'code'>>(catalog);
  return Object.fromEntries(
    entries.map(([code, { kind, message }]) => [code, { code, kind, message }]),
  ) as { readonly [Each in Code]: ErrorCode<Each> };
}

export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly violations: readonly FieldViolation[];
  readonly metadata: Readonly<Record<string, string>>;
  readonly retryAfterSeconds: number | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly definition: ErrorCode,
    options: DomainErrorOptions = {},
  ) {
    super(options.message ?? definition.message, { cause: options.cause });
    this.violations = options.violations ?? [];
    this.metadata = options.metadata ?? {};
    const isTemporary = definition.kind === 'unavailable';
    this.retryAfterSeconds = options.retryAfterSeconds ?? (isTemporary ? 1 : undefined);
    this.headers = options.headers ?? {};
  }

  get kind(): ErrorKind {
    return this.definition.kind;
  }

  get code(): string {
    return this.definition.code;
  }

  get httpStatus(): number {
    return STATUSES[this.kind];
  }

  /** `debug` for errors of the caller, because the request log already has a line for them. */
  get logLevel(): 'debug' | 'warn' | 'error' {
    if (this.kind === 'internal') {
      return 'error';
    }
    return this.httpStatus >= 500 ? 'warn' : 'debug';
  }
}
