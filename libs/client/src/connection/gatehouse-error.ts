/** What an error says; the formats of all services are listed in docs/errors.md. */
export interface ErrorDetails {
  /** The status of the response; 503 if there was none. */
  readonly status: number;
  readonly message: string;
  /** The stable code, such as `KEY_NOT_FOUND`, where the API has one. */
  readonly code?: string;
  readonly requestId?: string;
  /** When to try again. */
  readonly retryAfterSeconds?: number;
  /** The parsed body of the response. */
  readonly body?: unknown;
  readonly cause?: unknown;
}

/** A request that failed. */
export class GatehouseError extends Error {
  override readonly name = 'GatehouseError';
  readonly status: number;
  readonly code?: string;
  readonly requestId?: string;
  readonly retryAfterSeconds?: number;
  readonly body?: unknown;

  constructor({ message, cause, ...details }: ErrorDetails) {
    super(message, { cause });
    this.status = details.status;
    this.code = details.code;
    this.requestId = details.requestId;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.body = details.body;
  }
}

interface Body {
  readonly code?: string;
  readonly detail?: string;
  readonly title?: string;
  readonly error?: { message?: string; details?: readonly { reason?: string }[] };
}

/** The error of a response that is not OK, in the format of any service. */
export async function errorOf(response: Response): Promise<GatehouseError> {
  const text = await response.text().catch(() => '');
  const body = parsed(text);
  const { code, detail, title, error } = (typeof body === 'object' && body ? body : {}) as Body;
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new GatehouseError({
    status: response.status,
    code: error?.details?.[0]?.reason ?? code,
    message: error?.message ?? detail ?? title ?? `Gatehouse answered ${response.status}`,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: Number.isNaN(retryAfter) ? undefined : retryAfter,
    body,
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
