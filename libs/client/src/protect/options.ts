import { type ConnectionOptions } from '../connection/index.js';

/** Where the keys that sign derived tokens are published. */
export interface OfflineOptions {
  /** `ISSUER` of the key service. By default `gatehouse`. */
  readonly issuer?: string;
  /** The published keys, on the public surface. By default `/v2alpha1/derivedKeys/jwks.json` at `url`. */
  readonly jwksUrl?: string;
  /** `SIGNING_ALGORITHM` of the key service. By default `EdDSA`. */
  readonly algorithm?: 'EdDSA' | 'ES256' | 'RS256';
}

/** The demands of a route. Its key for Gatehouse needs the scope `keys:verify` only. */
export interface ProtectOptions extends ConnectionOptions {
  /** How long a verification may take, in milliseconds, before the answer is 503. By default 5,000. */
  readonly timeoutMs?: number;
  /** Scopes that the credential must have. */
  readonly scopes?: readonly string[];
  /** The audience that a token must name. Keys are accepted too. Without it, tokens must not name any. */
  readonly audience?: string;
  /** What a request costs of limits, by name, such as `{ exports: 5 }`; others cost 1. See docs/limits.md. */
  readonly limits?: Readonly<Record<string, number>>;
  /** What a request costs in credits. By default 1. See docs/credits.md. */
  readonly cost?: number;
  /** Tags under which requests are counted. See docs/usage.md. */
  readonly tags?: readonly string[];
  /**
   * Verifies derived JWTs with the published keys instead of asking Gatehouse. Limits and credits do not
   * count then, and a revocation is not noticed before the token expires. Keys and macaroons are sent to
   * Gatehouse as before.
   */
  readonly offline?: boolean | OfflineOptions;
  /** Is called when the answer is 503: with a GatehouseError, or an error of jose. By default console.error. */
  readonly onError?: (error: unknown) => unknown;
}
