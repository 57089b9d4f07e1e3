import { KeyRing } from '@gatehouse/crypto';
import { type Redis } from 'ioredis';
import { type Logger } from 'pino';
import { Registry } from 'prom-client';
import { KeyServiceConfig } from '../../config.js';
import { VerificationKey } from '../../store/keys/verification-key.js';
import { type RateLimitNotices } from '../usage/rate-limit-notices.js';
import { RateLimiter } from './rate-limiter.js';

const key = new VerificationKey(
  {
    key_id: 'key',
    kind: 'issued',
    actor_id: 'a',
    scopes: '[]',
    metadata: '{}',
    visibility: 1,
    expire_ms: null,
    revoked: false,
    paused: false,
    rate_quota: '5',
    rate_unit: null,
    rate_window_seconds: '60',
    rate_limits: null,
    credit_account: null,
    allowed_cidrs: null,
    tags: null,
    secret_hash: '',
    hash_key_id: null,
  },
  'test',
);

/** A limiter and the pending commands of its Redis. */
const limiterOn = (rateLimitOnError: 'open' | 'closed') => {
  const asked: { answer: () => void; timeOut: () => void }[] = [];
  const redis = {
    defineCommand: () => undefined,
    countLimits: () =>
      new Promise((resolve, reject) => {
        const answer = () => resolve(['1', '12000000', '0']);
        asked.push({ answer, timeOut: () => reject(new Error('Command timed out')) });
      }),
  };
  const limiter = new RateLimiter(
    Object.assign(new KeyServiceConfig(), { rateLimitOnError }),
    KeyRing.fromTexts(['a-secret-of-at-least-32-characters']),
    redis as unknown as Redis,
    { warn: () => undefined } as unknown as Logger,
    new Registry(),
    { announceLater: () => undefined } as unknown as RateLimitNotices,
  );
  const count = async () => {
    const { isAdmitted, states } = await limiter.charge(key, undefined);
    return { isAdmitted, remaining: states[0]?.remaining };
  };
  return { asked, count };
};

let nowMs = 0;

/** Lets the pause between two probes pass. */
const pass = (ms: number) => (nowMs += ms);

describe('RateLimiter', () => {
  beforeEach(() => {
    jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  });
  afterEach(() => jest.restoreAllMocks());

  it.each([
    ['open', true],
    ['closed', false],
  ] as const)(
    'lets only one request wait for an unresponsive Redis (%s)',
    async (onError, isAdmitted) => {
      const { asked, count } = limiterOn(onError);
      const first = [count(), count()];
      expect(asked).toHaveLength(2);
      asked.forEach(({ timeOut }) => timeOut());
      for (const state of await Promise.all(first)) expect(state).toMatchObject({ isAdmitted });

      pass(999);
      await expect(count()).resolves.toMatchObject({ isAdmitted, remaining: undefined });
      expect(asked).toHaveLength(2);

      pass(2);
      const waiting = count();
      expect(asked).toHaveLength(3);
      for (const state of await Promise.all([count(), count()])) {
        expect(state).toMatchObject({ isAdmitted, remaining: undefined });
      }
      expect(asked).toHaveLength(3);

      asked[2]?.answer();
      await expect(waiting).resolves.toMatchObject({ isAdmitted: true, remaining: '4' });
      const after = [count(), count()];
      expect(asked).toHaveLength(5);
      asked.forEach(({ answer }) => answer());
      for (const state of await Promise.all(after)) expect(state).toMatchObject({ remaining: '4' });
    },
  );

  it('keeps to one probe while earlier requests still time out, one after another', async () => {
    const { asked, count } = limiterOn('open');
    const early = [count(), count(), count()];
    asked[0]?.timeOut();
    await early[0];
    pass(1_000);
    const probe = count();
    expect(asked).toHaveLength(4);
    for (const next of [1, 2]) {
      asked[next]?.timeOut();
      await early[next];
      await expect(count()).resolves.toMatchObject({ remaining: undefined });
      expect(asked).toHaveLength(4);
    }
    asked[3]?.answer();
    await expect(probe).resolves.toMatchObject({ remaining: '4' });
  });
});
