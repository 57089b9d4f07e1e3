import { formatDuration } from '@gatehouse/kit/input';

/** More credits than this are refused, so that they are exact numbers everywhere. */
export const CREDITS_MAX = 1_000_000_000_000_000;

/** When a balance is raised to `amount`, if it is lower. */
export interface Refill {
  readonly amount: number;
  readonly intervalSeconds: number;
  /** The next time. */
  readonly at: Date;
}

/** How many more verifications a key may have. */
export interface Credits {
  readonly remaining: number;
  readonly refill: Refill | null;
  /** Whether every verification is written at once. */
  readonly isStrict: boolean;
}

export interface CreditsView {
  remaining: string;
  refill: { amount: string; interval: string; at: string } | null;
  strict: boolean;
}

export function creditsView({ remaining, refill, isStrict }: Credits): CreditsView {
  return {
    remaining: String(remaining),
    refill: refill && {
      amount: String(refill.amount),
      interval: formatDuration(refill.intervalSeconds),
      at: refill.at.toISOString(),
    },
    strict: isStrict,
  };
}
