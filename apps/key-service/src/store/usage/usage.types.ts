/**
 * The kind of subject of a usage row, in write order: all processes update the `all` rows, so they are
 * locked last.
 */
export const SERIES = {
  /** The subject is a key. */
  key: 1,
  /** A key, with one of its tags: a verification with two tags is in two rows. */
  keyTag: 2,
  actor: 3,
  /** The subject is empty: a tag of any keys. */
  tag: 4,
  /** The prefix of credentials that are no key. */
  prefix: 5,
  all: 6,
} as const;
export type Series = (typeof SERIES)[keyof typeof SERIES];

/** The `level` of a row: how long a time it counts. */
export const USAGE_LEVELS = { minute: 1, hour: 2, day: 3 } as const;
export type UsageInterval = keyof typeof USAGE_LEVELS;
