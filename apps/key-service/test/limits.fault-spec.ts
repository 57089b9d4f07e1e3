/** Three processes verify one limited key as fast as they can; one is killed, Redis is emptied. */
import { type KeyServiceStack, startKeyService } from './key-stack.js';

const REPLICAS = 3;
const IN_FLIGHT = 8;

let service: KeyServiceStack;
beforeAll(async () => {
  service = await startKeyService({ LOG_LEVEL: 'info' }, REPLICAS);
});
afterAll(() => service.close());

const limitOf = (quota: number, window: string, more = {}) => ({
  rate_limits: [{ name: 'l', quota, window, ...more }],
});

/** Verifies on all replicas until `isOver`, and returns when each was admitted. */
const hammer = async (secret: string, isOver: () => boolean, replicas = REPLICAS) => {
  const admittedMs: number[] = [];
  const loops = Array.from({ length: replicas * IN_FLIGHT }, async (_, n) => {
    while (!isOver()) {
      const { body } = await service.verify(secret, {}, { replica: n % replicas });
      if (body.is_valid === true) admittedMs.push(performance.now());
      else if (body.error_code !== 'VERIFICATION_ERROR_RATE_LIMITED') {
        throw new Error(JSON.stringify(body));
      }
    }
  });
  await Promise.all(loops);
  return admittedMs;
};
const forMs = (ms: number) => {
  const endMs = performance.now() + ms;
  return () => performance.now() > endMs;
};

it('a strict limit admits exactly its quota', async () => {
  const { secret } = await service.issue(limitOf(300, '10d', { strict: true }));
  expect(await hammer(secret, forMs(3_000))).toHaveLength(300);
});

it('a leased limit admits its quota, and one lease for each process at most', async () => {
  const quota = 2_000;
  const { secret } = await service.issue(limitOf(quota, '10d'));
  const admitted = await hammer(secret, forMs(6_000));
  expect(admitted.length).toBeLessThanOrEqual(quota * (1 + REPLICAS / 100));
  expect(admitted.length).toBeGreaterThan(quota * (1 - REPLICAS / 100));
});

it('no stretch of time has more than burst and refill, also where two windows would meet', async () => {
  const [quota, windowMs] = [600, 3_000];
  const { secret } = await service.issue(limitOf(quota, `${windowMs / 1000}s`));
  const times = (await hammer(secret, forMs(2.5 * windowMs))).sort((a, b) => a - b);
  // An answer may be late by as much as the machine is busy.
  const lateMs = 250;
  for (const stretchMs of [100, windowMs / 2, windowMs]) {
    let from = 0;
    times.forEach((timeMs, index) => {
      while ((times[from] as number) < timeMs - stretchMs) from += 1;
      const bound = quota * (1 + (stretchMs + lateMs) / windowMs + REPLICAS / 100);
      expect(index - from + 1).toBeLessThanOrEqual(bound);
    });
  }
  // The burst, and then as much as comes back.
  expect(times.length).toBeGreaterThan(quota * 2.5);
});

it('a process that is killed takes one lease with it', async () => {
  const quota = 4_000;
  const { secret } = await service.issue(limitOf(quota, '10d'));
  const killed = service.replicas[REPLICAS - 1];
  const before = await hammer(secret, forMs(1_500));
  killed?.process.kill('SIGKILL');
  const after = await hammer(secret, forMs(6_000), REPLICAS - 1);
  expect(before.length + after.length).toBeLessThanOrEqual(quota * 1.03);
  expect(before.length + after.length).toBeGreaterThan(quota * 0.97);
});
