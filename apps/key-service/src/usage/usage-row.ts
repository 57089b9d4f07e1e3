/** The rows of keys.usage. A verification is counted in a row of each series that it belongs to. */
import { VERIFICATION_ERRORS, type VerificationErrorCode } from '../wire/enums.js';

export const USAGE_LEVELS = { minute: 1, hour: 2, day: 3 } as const;
export type UsageInterval = keyof typeof USAGE_LEVELS;

/**
 * What the subject of a row is. The order is that of writing: all processes update the rows of `all`, so
 * they are locked last.
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

export interface UsageRow {
  readonly series: Series;
  readonly atMs: number;
  readonly subject: string;
  readonly tag: string;
  readonly outcome: number;
  readonly limitName: string;
  readonly actorId: string;
  count: number;
  cost: number;
}

/** As in the label `outcome` of `key_verifications_total`. */
export const USAGE_OUTCOMES: readonly string[] = VERIFICATION_ERRORS.map((error, index) =>
  index === 0 ? 'valid' : error.replace('VERIFICATION_ERROR_', '').toLowerCase(),
);

const OUTCOME_NUMBERS = new Map<VerificationErrorCode, number>(
  VERIFICATION_ERRORS.map((error, index) => [error, index]),
);

export function outcomeNumber(error: VerificationErrorCode | undefined): number {
  return error === undefined ? 0 : (OUTCOME_NUMBERS.get(error) ?? 0);
}
