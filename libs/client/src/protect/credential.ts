/** Request headers by name in lower case, as Node.js has them. */
export interface CredentialHeaders {
  readonly authorization?: unknown;
  readonly 'x-api-key'?: unknown;
}

/** Keys and tokens are visible ASCII. Gatehouse reads at most 8,192 characters. */
const WELL_FORMED = /^[\x21-\x7e]{1,8192}$/;

/** `X-API-Key`, otherwise `Authorization` with the scheme Bearer or Api-Key; undefined without either. */
export function credentialIn(headers: CredentialHeaders): string | undefined {
  const { authorization, 'x-api-key': apiKey } = headers;
  if (typeof apiKey === 'string' && apiKey !== '') return apiKey;
  if (typeof authorization !== 'string') return undefined;
  return /^(?:bearer|api-key) +(\S+)$/i.exec(authorization)?.[1];
}

export function isWellFormed(credential: string): boolean {
  return WELL_FORMED.test(credential);
}

/** The headers of a request of the Fetch API. */
export function credentialHeadersOf({ headers }: Request): CredentialHeaders {
  return { authorization: headers.get('authorization'), 'x-api-key': headers.get('x-api-key') };
}
