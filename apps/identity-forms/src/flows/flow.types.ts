export type FlowKind = 'sign-up' | 'profile';

/** One form for one person: an address that shows it, accepts it once, and expires. */
export interface Flow {
  /** SHA-256 of the flow's id. The id opens the form, so the table does not store it. */
  idDigest: Buffer;
  kind: FlowKind;
  schemaId: string;
  schemaVersion: number;
  /** The identity of a profile flow; null for a sign-up. */
  identityId: string | null;
  returnTo: string | null;
  /** Derives CSRF tokens from a browser's cookie; never leaves the service. */
  csrfKey: Buffer;
  createdAt: Date;
  expiresAt: Date;
  usedAt: Date | null;
}
