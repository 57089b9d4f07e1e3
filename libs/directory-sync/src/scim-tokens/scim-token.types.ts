/** The token data that a SCIM request needs; times in milliseconds. */
export interface TokenHashes {
  id: string;
  sha256: Buffer;
  /** Null: it does not expire. */
  expiresAt: number | null;
  /** The secret before the last rotation, if the two overlap. */
  previousSha256: Buffer | null;
  previousUntil: number | null;
}

/** The same in the row of its directory, with hashes in Base64: short, and cheap to read. */
export type PublishedToken = [
  id: string,
  sha256: string,
  expiresAt: number | null,
  previousSha256: string | null,
  previousUntil: number | null,
];

/** A token as it is stored, without its hashes. */
export interface ScimToken {
  id: string;
  name: string;
  /** The start and the end of the secret, to recognize it. */
  preview: string;
  createdAt: Date;
  /** Null before the first rotation. */
  rotatedAt: Date | null;
  /** Null: it does not expire. */
  expiresAt: Date | null;
  /** Written once a minute. */
  lastUsedAt: Date | null;
  /** Until then, the secret before the last rotation is valid too; null without an overlap. */
  previousUntil: Date | null;
  previousUsedAt: Date | null;
}

/** A secret to store: its hash, and what is shown of it. */
export interface HashedToken {
  sha256: Buffer;
  preview: string;
}

export interface NewScimToken extends HashedToken {
  id: string;
  name: string;
  createdAt: Date;
  expiresAt: Date | null;
}

/** A new secret of a token. */
export interface TokenRotation extends HashedToken {
  rotatedAt: Date;
  expiresAt: Date | null;
  /** How long the current secret stays valid; null: not at all. */
  previousUntil: Date | null;
}

/** A token whose thresholds have to be compared with the time. */
export interface DueToken {
  id: string;
  directoryId: string;
  name: string;
  expiresAt: Date;
  lastUsedAt: Date | null;
  /** Thresholds that are reached from then on have not been announced. */
  nextNoticeAt: Date;
  /** Name of its directory. */
  directoryName: string;
  tenant: string;
  product: string;
}
