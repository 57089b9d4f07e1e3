import { type Logger } from 'pino';
import { KeyServiceConfig } from '../config.js';
import { type CreditSpender } from '../store/credits/credit-spender.js';
import { type VerificationRow } from '../store/keys/verification-key.js';
import { verificationKey, verificationRow } from '../../test/verification-rows.js';
import { Checks } from './checks.js';
import { type DerivedToken } from './credentials/derived-token.js';
import { type RateLimiter } from './limits/rate-limiter.js';
import { type CreditNotices } from './usage/credit-notices.js';
import { attemptFor } from './verification-result.js';

const NOW_MS = Date.parse('2026-06-01T12:00:00Z');

/** Each is a fault of its own, in the order of the checks. */
const FAULTS: readonly (readonly [string, Partial<VerificationRow>])[] = [
  ['REVOKED', { revoked: true }],
  ['EXPIRED', { expire_ms: NOW_MS }],
  ['PAUSED', { paused: true }],
  ['IP_NOT_ALLOWED', { allowed_cidrs: ['192.0.2.0/24'] }],
  ['INSUFFICIENT_SCOPE', { scopes: '[]' }],
  ['RATE_LIMITED', { rate_quota: '1', rate_window_seconds: '60' }],
  ['CREDITS_EXHAUSTED', { credit_account: 'account' }],
];

const VALID = verificationRow({ scopes: '["read"]' });

const request = {
  credential: 'c',
  requiredScopes: ['read'],
  audience: undefined,
  limits: undefined,
  tags: undefined,
  cache: 'use' as const,
  address: () => '198.51.100.1',
};

/** Completes a verification whose limits and credits refuse, at once or later, and names who was asked. */
async function errorOf(row: VerificationRow, token?: Partial<DerivedToken>, isLater = false) {
  const asked: string[] = [];
  const answer = <T>(name: string, outcome: T) => {
    asked.push(name);
    return isLater ? Promise.resolve(outcome) : outcome;
  };
  const limits = { isAdmitted: false, states: [], policies: '' };
  const credits = { isAdmitted: false, remaining: 0, refillAtMs: null };
  const checks = new Checks(
    new KeyServiceConfig(),
    {} as Logger,
    { charge: () => answer('limits', limits) } as unknown as RateLimiter,
    { spend: () => answer('credits', credits) } as unknown as CreditSpender,
    { announceLater: () => undefined } as unknown as CreditNotices,
  );
  const key = verificationKey(row);
  const attempt = attemptFor({ key, token: token as DerivedToken | undefined }, 'HIT');
  const { error, message } = await checks.complete(attempt, request, NOW_MS);
  return { error: error?.replace('VERIFICATION_ERROR_', ''), message, asked };
}

describe('the checks of a verification', () => {
  it.each([false, true])(
    'run in their order until one refuses (stores later: %s)',
    async (late) => {
      let row = VALID;
      for (const [error, fault] of [...FAULTS].reverse()) {
        row = { ...row, ...fault };
        const refusal = await errorOf(row, undefined, late);
        expect(refusal.error).toBe(error);
        const charged = error === 'RATE_LIMITED' ? ['limits'] : [];
        expect(refusal.asked).toEqual(error === 'CREDITS_EXHAUSTED' ? ['credits'] : charged);
      }
    },
  );

  it('let a key without faults pass, and ask no store about it', async () => {
    expect(await errorOf(VALID)).toEqual({ error: undefined, message: undefined, asked: [] });
  });

  it('refuse a token for another audience before limits are charged', async () => {
    const token = {
      keyId: 'k',
      scopes: null,
      expireAtMs: NOW_MS + 1,
      audiences: [['other']],
      networks: [],
    };
    const limited = { ...VALID, rate_quota: '1', rate_window_seconds: '60' };
    const refusal = await errorOf(limited, token);
    expect(refusal).toMatchObject({ error: 'AUDIENCE_MISMATCH', asked: [] });
    expect(refusal.message).toMatch(/^The token is for an audience/);
  });
});
