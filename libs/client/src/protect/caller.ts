/** The holder of a credential that was accepted. */
export interface Caller {
  /** The id of the key; of a token, that of the key or trust rule that it was derived from. */
  readonly keyId: string;
  /** The owner of the key. Of an exchanged token that was verified offline, the subject of its issuer. */
  readonly actorId: string;
  readonly scopes: readonly string[];
  /** The audiences that a token names; empty for a key. */
  readonly audiences: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
  /** `KEY_VISIBILITY_SECRET`, or `KEY_VISIBILITY_PUBLIC` for a key that may be in a browser. */
  readonly visibility: string;
  /** When the credential expires (RFC 3339); null if never. */
  readonly expireTime: string | null;
}

/** A request that may go on. */
export interface Admission {
  readonly caller: Caller;
  /** For the response: the state of limits. */
  readonly headers: Readonly<Record<string, string>>;
}
