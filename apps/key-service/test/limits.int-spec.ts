/** Limits on a real Redis: what several processes admit together, whatever they are asked. */
import { KeyRing } from '@gatehouse/crypto';
import { type Exchange, redisExchange } from '@gatehouse/kit/exchange';
import { createLogger } from '@gatehouse/nest-kit/logging';
import { eventually, tcpProxy, testRedis, type TestRedis } from '@gatehouse/testing';
import { Registry } from 'prom-client';
import { KeyServiceConfig } from '../src/config.js';
import { type LimitOutcome } from '../src/verification/limits/limit-outcome.js';
import { RateLimiter } from '../src/verification/limits/rate-limiter.js';
import { type RateLimit } from '../src/store/keys/rate-limit.types.js';
import { type VerificationKey } from '../src/store/keys/verification-key.js';
import { verificationKey } from './verification-rows.js';
import { type RateLimitNotices } from '../src/verification/usage/rate-limit-notices.js';

const PROCESSES = 3;
const HOUR = 3600;

let redis: TestRedis;
let exchanges: Exchange[];
let limiters: RateLimiter[];
let keys = 0;

beforeAll(async () => {
  redis = testRedis();
  exchanges = await Promise.all(Array.from({ length: PROCESSES }, () => openExchange(redis.url)));
  limiters = exchanges.map(limiterOn);
});
afterAll(async () => {
  await Promise.all(exchanges.map((exchange) => exchange.close()));
  await redis.cleanup();
});

async function openExchange(url: string): Promise<Exchange> {
  const logger = createLogger('test', 'silent');
  const { namespace } = redis;
  const exchange = redisExchange({ redis: { url, namespace }, service: 'tests', logger });
  await eventually(() => expect(exchange.queues.isReady).toBe(true));
  return exchange;
}

function limiterOn(exchange: Exchange): RateLimiter {
  return new RateLimiter(
    new KeyServiceConfig(),
    KeyRing.fromTexts(['a-secret-of-at-least-32-characters']),
    exchange,
    createLogger('test', 'silent'),
    new Registry(),
    { announceLater: () => undefined } as unknown as RateLimitNotices,
  );
}

const limit = (name: string, quota: number, more: Partial<RateLimit> = {}): RateLimit => ({
  name,
  quota: String(quota),
  windowSeconds: HOUR,
  burst: String(quota),
  scope: 'key',
  tag: '',
  onError: null,
  isStrict: false,
  ...more,
});

const keyWith = (limits: readonly RateLimit[], actorId = `actor-${keys}`) =>
  verificationKey({
    key_id: `key-${(keys += 1)}`,
    actor_id: actorId,
    rate_limits: JSON.stringify(limits),
  });

const count = (key: VerificationKey, costs: Record<string, number> = {}, process = 0) => {
  const demand =
    Object.keys(costs).length === 0
      ? undefined
      : { costs: new Map(Object.entries(costs)), creditCost: 1, isPeek: false };
  return (limiters[process] as RateLimiter).charge(key, demand);
};
const peek = (key: VerificationKey, process = 0) =>
  (limiters[process] as RateLimiter).charge(key, { costs: new Map(), creditCost: 1, isPeek: true });
const left = ({ states }: LimitOutcome) =>
  Object.fromEntries(states.map(({ name, remaining }) => [name, Number(remaining)]));
const refusing = ({ states }: LimitOutcome) =>
  states.filter(({ isExceeded }) => isExceeded).map(({ name }) => name);

/** Sends verifications from all processes, `inFlight` at a time each, and counts the admitted. */
const hammer = async (key: VerificationKey, times: number, inFlight: number) => {
  let admitted = 0;
  const loops = Array.from({ length: PROCESSES * inFlight }, async (_, n) => {
    for (let time = 0; time < times; time += 1) {
      const { isAdmitted } = await count(key, {}, n % PROCESSES);
      if (isAdmitted) admitted += 1;
    }
  });
  await Promise.all(loops);
  return admitted;
};

describe('the limits of a key', () => {
  it('are charged together, or none of them', async () => {
    const key = keyWith([limit('many', 100), limit('few', 3)]);
    for (const remaining of [2, 1, 0]) {
      expect(left(await count(key))).toMatchObject({ few: remaining, many: 97 + remaining });
    }
    const over = await count(key);
    expect([over.isAdmitted, refusing(over)]).toEqual([false, ['few']]);
    expect(left(await peek(key))).toEqual({ many: 97, few: 0 });
    expect(left(await count(key, { few: 0, many: 7 }))).toEqual({ many: 90, few: 0 });
  });

  it('take costs, refuse one that is too high without charging it, and say when to come back', async () => {
    const key = keyWith([limit('units', 60, { windowSeconds: 60, isStrict: true })]);
    expect(left(await count(key, { units: 59 }))).toEqual({ units: 1 });
    const over = await count(key, { units: 21 });
    expect(over.isAdmitted).toBe(false);
    // 20 units come back in 20 s.
    expect(over.states[0]?.retryAfterMs).toBeGreaterThan(18_000);
    expect(over.states[0]?.retryAfterMs).toBeLessThanOrEqual(20_000);
    const never = await count(key, { units: 61 });
    expect(never.states[0]).toMatchObject({ isExceeded: true, retryAfterMs: undefined });
    expect((await count(key, { units: 1 })).isAdmitted).toBe(true);
  });

  it('admit a burst at once and then one for each part of the window', async () => {
    const key = keyWith([limit('slow', 100, { windowSeconds: 10, burst: '2', isStrict: true })]);
    expect((await count(key)).isAdmitted).toBe(true);
    expect((await count(key)).isAdmitted).toBe(true);
    expect((await count(key)).isAdmitted).toBe(false);
    const startMs = performance.now();
    await eventually(async () => expect((await count(key)).isAdmitted).toBe(true));
    expect(performance.now() - startMs).toBeGreaterThan(40);
    expect((await count(key)).isAdmitted).toBe(false);
  });

  it('are shared by the keys of an actor, or those with a tag, and not with other actors', async () => {
    const limits = [
      limit('all', 10, { scope: 'actor' }),
      limit('team', 5, { scope: 'tag', tag: 'a' }),
    ];
    const other = [
      limit('all', 10, { scope: 'actor' }),
      limit('team', 5, { scope: 'tag', tag: 'b' }),
    ];
    expect(left(await count(keyWith(limits, 'ann')))).toEqual({ all: 9, team: 4 });
    expect(left(await count(keyWith(limits, 'ann')))).toEqual({ all: 8, team: 3 });
    expect(left(await count(keyWith(other, 'ann')))).toEqual({ all: 7, team: 4 });
    expect(left(await count(keyWith(limits, 'ben')))).toEqual({ all: 9, team: 4 });
  });

  it('are in one slot of a Cluster, without a name or an address of a person', async () => {
    const shared = limit('all', 10, { scope: 'actor' });
    const limits = [limit('own', 10), shared, limit('team', 5, { scope: 'tag', tag: 'ann-smith' })];
    await count(keyWith(limits, 'ann.smith@example.com'));
    const stored: string[] = await redis.client.keys(`${redis.namespace}keys:rate:*`);
    const ours = stored.filter((name) => /:(own|all|team):3600$/.test(name));
    const slots = new Map<string, number>();
    for (const name of ours) {
      const tag = /\{([^}]+)\}/.exec(name)?.[1] ?? '';
      slots.set(tag, (slots.get(tag) ?? 0) + 1);
    }
    expect([...slots.values()]).toContain(3);
    expect(stored.join('\n')).not.toMatch(/smith|example|ann|ben/);
  });

  it('survive values in Redis that are no backlogs, and never last longer than a window', async () => {
    for (const lie of ['nonsense', '-5 1', '1e999 1', 'nan 5', '9e99 99999999999999999', '5', '']) {
      const key = keyWith([limit('l', 4, { windowSeconds: 60, isStrict: true })]);
      const name = `${redis.namespace}keys:rate:{${key.keyId}}:key:${key.keyId}:l:60`;
      await redis.client.set(name, lie);
      const { isAdmitted, states } = await count(key);
      expect([lie, isAdmitted]).toEqual([lie, !/^9e99/.test(lie)]);
      expect(Date.parse(states[0]?.resetTime ?? '') - Date.now()).toBeLessThanOrEqual(60_000);
      await redis.client.del(name);
      await redis.client.lpush(name, 'a list');
      expect(typeof (await count(key)).isAdmitted).toBe('boolean');
    }
  });

  it('drain from now on when what Redis has is of the future, because a clock was set back', async () => {
    const key = keyWith([limit('l', 1, { windowSeconds: 1, isStrict: true })]);
    const name = `${redis.namespace}keys:rate:{${key.keyId}}:key:${key.keyId}:l:1`;
    await redis.client.set(name, '1000000 9000000000000000');
    expect((await count(key)).isAdmitted).toBe(false);
    await eventually(async () => expect((await count(key)).isAdmitted).toBe(true));
  });

  it('are exact for the largest and the smallest numbers', async () => {
    const quota = 1_000_000_000_000;
    const huge = keyWith([limit('h', quota, { windowSeconds: 366 * 86_400, isStrict: true })]);
    expect(left(await count(huge))).toEqual({ h: quota - 1 });
    // 31 units come back in a millisecond.
    const { h: remaining } = left(await count(huge, { h: 1_000_000_000 }));
    expect(remaining).toBeGreaterThanOrEqual(quota - 1_000_000_001);
    expect(remaining).toBeLessThan(quota - 999_000_000);
    const rare = keyWith([limit('r', 1, { windowSeconds: 366 * 86_400 })]);
    expect((await count(rare)).isAdmitted).toBe(true);
    expect((await count(rare)).isAdmitted).toBe(false);
    for (const odd of [3, 7, 11, 997]) {
      const key = keyWith([limit('o', odd, { isStrict: true })]);
      for (let n = 1; n <= Math.min(odd, 30); n += 1) {
        expect(left(await count(key))).toEqual({ o: odd - n });
      }
    }
  });
});

it('the default limit takes the largest quota of 64 bits', async () => {
  const quota = '9223372036854775807';
  const key = verificationKey({ rate_quota: quota, rate_window_seconds: '315360000' });
  const { isAdmitted, states } = await count(key, { default: 1_000_000_000 });
  expect([isAdmitted, states.map(({ remaining }) => remaining)]).toEqual([
    true,
    ['9223372035854775807'],
  ]);
});

it('a process that stops while Redis is silent does not wait for each of its leases', async () => {
  const proxy = await tcpProxy(redis.url);
  const exchange = await openExchange(proxy.url);
  try {
    const limiter = limiterOn(exchange);
    for (let n = 0; n < 10; n += 1) {
      const key = keyWith([limit('hot', 100_000, { windowSeconds: 30 * 86_400 })]);
      for (let time = 0; time < 6; time += 1) await limiter.charge(key, undefined);
      expect(limiter.charge(key, undefined)).not.toBeInstanceOf(Promise);
    }
    proxy.silence();
    const startMs = performance.now();
    await limiter.beforeApplicationShutdown();
    expect(performance.now() - startMs).toBeLessThan(5_000);
  } finally {
    await exchange.close();
    await proxy.close();
  }
});

describe('three processes', () => {
  it('admit exactly the quota of a strict limit', async () => {
    const key = keyWith([limit('strict', 500, { isStrict: true })]);
    expect(await hammer(key, 50, 8)).toBe(500);
  });

  it('admit no more than the quota from leases, and nearly all of it', async () => {
    const key = keyWith([limit('leased', 5_000)]);
    const admitted = await hammer(key, 400, 8);
    expect(admitted).toBeLessThanOrEqual(5_000 + 10);
    expect(admitted).toBeGreaterThan(5_000 - PROCESSES * 50);
  });

  it('answer hot keys from memory, and give back what they have leased and not used', async () => {
    const key = keyWith([limit('hot', 100_000)]);
    let fromMemory = 0;
    for (let time = 0; time < 1_000; time += 1) {
      const outcome = count(key);
      if (!(outcome instanceof Promise)) fromMemory += 1;
      await outcome;
    }
    expect(fromMemory).toBeGreaterThan(900);
    const before = left(await peek(key, 1)).hot as number;
    expect(before).toBeLessThanOrEqual(99_000);
    expect(before).toBeGreaterThanOrEqual(98_000);
    await (limiters[0] as RateLimiter).beforeApplicationShutdown();
    const after = left(await peek(key, 1)).hot as number;
    // Units that the bucket has regained meanwhile (28 per second) are not returned.
    expect(after).toBeGreaterThan(98_900);
    expect(after).toBeLessThanOrEqual(99_100);
    expect(count(key)).toBeInstanceOf(Promise);
  });
});
