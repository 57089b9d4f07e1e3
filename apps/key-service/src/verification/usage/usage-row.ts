/** The rows of keys.usage. A verification is counted in a row of each series that it belongs to. */
import { type Series } from '../../store/usage/usage.types.js';
import { VERIFICATION_ERRORS, type VerificationErrorCode } from '@gatehouse/schemas';

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
