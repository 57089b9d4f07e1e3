import { KeyRing } from '@gatehouse/crypto';
import { type BucketCharge, type Counters } from '@gatehouse/kit/exchange';
import { type Logger } from 'pino';
import { Registry } from 'prom-client';
import { KeyServiceConfig } from '../../config.js';
import { verificationKey } from '../../../test/verification-rows.js';
import { type RateLimitNotices } from '../usage/rate-limit-notices.js';
import { RateLimiter } from './rate-limiter.js';

const key = verificationKey({ key_id: 'key', rate_quota: '5', rate_window_seconds: '60' });

const CHARGED: BucketCharge = {
  isAdmitted: true,
  buckets: [{ backlogMicros: 12_000_000, granted: 0 }],
};

/** A limiter on a counter that answers so. */
function limiterOn(
  charge: () => Promise<BucketCharge | undefined>,
  rateLimitOnError: 'open' | 'closed' = 'open',
): RateLimiter {
  return new RateLimiter(
    Object.assign(new KeyServiceConfig(), { rateLimitOnError }),
    KeyRing.fromTexts(['a-secret-of-at-least-32-characters']),
    { counters: { buckets: () => ({ charge }) } as unknown as Counters },
    { warn: () => undefined } as unknown as Logger,
    new Registry(),
    { announceLater: () => undefined } as unknown as RateLimitNotices,
  );
}

describe('RateLimiter', () => {
  it.each([
    ['open', true],
    ['closed', false],
  ] as const)(
    'admits or refuses what cannot be counted, and counts as soon as it can be (%s)',
    async (onError, isAdmitted) => {
      let answer: BucketCharge | undefined;
      const limiter = limiterOn(() => Promise.resolve(answer), onError);
      const uncounted = await limiter.charge(key, undefined);
      expect(uncounted.isAdmitted).toBe(isAdmitted);
      expect(uncounted.states[0]?.remaining).toBeUndefined();
      answer = CHARGED;
      const counted = await limiter.charge(key, undefined);
      expect(counted).toMatchObject({ isAdmitted: true, states: [{ remaining: '4' }] });
    },
  );

  it('refuses what cannot be counted because of each limit that says so, and no other', async () => {
    const limits = ['admits', 'denies'].map((name) => ({
      name,
      quota: '10',
      windowSeconds: 60,
      burst: '10',
      scope: 'key',
      tag: '',
      onError: name === 'denies' ? 'deny' : null,
      isStrict: false,
    }));
    const limited = verificationKey({ rate_limits: JSON.stringify(limits) });
    const limiter = limiterOn(() => Promise.resolve(undefined));
    const { isAdmitted, states } = await limiter.charge(limited, undefined);
    expect(isAdmitted).toBe(false);
    expect(states.map(({ name, isExceeded }) => [name, isExceeded])).toEqual([
      ['admits', false],
      ['denies', true],
    ]);
  });
});
