/** Refusals over HTTP: a status, a challenge (RFC 6750, section 3) and a problem (RFC 9457). */

/** Why a request is refused: `CREDENTIAL_MISSING`, or the `error_code` of a verification. */
export type RefusalCode = 'CREDENTIAL_MISSING' | `VERIFICATION_ERROR_${string}`;

/** A refusal without the route that it is for. */
export interface Reason {
  readonly code: RefusalCode;
  readonly detail: string;
  /** `retry-after` and the state of limits. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Its body is JSON with `type`, `title`, `status`, `detail` and `code`. */
export interface Refusal extends Answer {
  readonly caller?: undefined;
}

/** How the refusals of a route differ from those of others. */
export interface Challenge {
  /** The first parameter, such as `realm="API"`. */
  readonly parameter: string;
  readonly scopes: readonly string[];
  /** Statuses that differ from those of docs/key-service.md. */
  readonly statuses?: Readonly<Partial<Record<RefusalCode, number>>>;
}

const TITLES: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
};
const STATUSES: Readonly<Partial<Record<RefusalCode, number>>> = {
  CREDENTIAL_MISSING: 401,
  VERIFICATION_ERROR_RATE_LIMITED: 429,
  VERIFICATION_ERROR_CREDITS_EXHAUSTED: 429,
  VERIFICATION_ERROR_INTERNAL: 503,
};
const OF_CREDENTIAL: ReadonlySet<RefusalCode> = new Set<RefusalCode>([
  'VERIFICATION_ERROR_NOT_FOUND',
  'VERIFICATION_ERROR_INVALID_FORMAT',
  'VERIFICATION_ERROR_SIGNATURE_INVALID',
  'VERIFICATION_ERROR_EXPIRED',
  'VERIFICATION_ERROR_REVOKED',
]);
/** `scope-token`s of RFC 6749, section 3.3, with blanks. Scopes of Gatehouse may have other characters. */
const SCOPES = /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/;

/** Whether a credential is refused with this code wherever, whenever and however it is used. */
export function isAboutCredential(code: RefusalCode): boolean {
  return OF_CREDENTIAL.has(code);
}

/** Writes a refusal for a route. An unknown code is 403. */
export function refusalFor({ code, detail, headers }: Reason, challenge: Challenge): Refusal {
  const status =
    challenge.statuses?.[code] ?? STATUSES[code] ?? (isAboutCredential(code) ? 401 : 403);
  const isChallenged = status === 401 || code === 'VERIFICATION_ERROR_INSUFFICIENT_SCOPE';
  const problem = { type: 'about:blank', title: TITLES[status], status, detail, code };
  return {
    status,
    headers: {
      ...headers,
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      ...(isChallenged && { 'www-authenticate': challengeText(code, status, challenge) }),
    },
    body: JSON.stringify(problem),
  };
}

/** Without a credential, a challenge has no error (RFC 6750, section 3.1). */
function challengeText(code: RefusalCode, status: number, challenge: Challenge): string {
  const error = status === 401 ? 'invalid_token' : 'insufficient_scope';
  const scope = challenge.scopes.join(' ');
  return [
    `Bearer ${challenge.parameter}`,
    ...(code === 'CREDENTIAL_MISSING' ? [] : [`error="${error}"`]),
    ...(SCOPES.test(scope) ? [`scope="${scope}"`] : []),
  ].join(', ');
}
