/** Which tokens of another issuer a trust rule accepts, and what is special about its own tokens. */
export interface TrustTerms {
  /** The exact claim `iss`, where the issuer publishes its metadata. */
  readonly issuer: string;
  /** The claim `aud`, which names nothing else. */
  readonly audience: string;
  readonly subjectPattern: string;
  /** Further claims by name, with the values that they must have. */
  readonly claims: TrustedClaims;
  readonly tokenTtlSeconds: number;
  /** Whether a token is accepted once, by its `jti`. */
  readonly isSingleUse: boolean;
}

export type TrustedClaims = Readonly<Record<string, string | boolean>>;

/** A trust rule that may accept tokens; its key says whether it is active. */
export interface TrustRule extends TrustTerms {
  readonly keyId: string;
}
