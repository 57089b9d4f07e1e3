export type FlowKind = 'sign-up' | 'profile';

/** One form for one person: an address that shows it, accepts it once, and expires. */
export interface Flow {
  /** The public name of the flow: in events, in `return_to`, for administrators. Opens nothing. */
  id: string;
  /** SHA-256 of the secret in the flow's address. The secret opens the form, so it is not stored. */
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
  /** The identity that a submission created or changed; null until then. */
  resultIdentityId: string | null;
  /** Whether only the first browser that opens it may go on. */
  isBound: boolean;
  /** Known from its address alone: it is stored when it is used. */
  isSealed?: true;
}
