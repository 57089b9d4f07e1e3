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

interface Progress {
  readonly admitted: number;
  /** Answers since the last one that was admitted. */
  readonly refusedSince: number;
}

/** Verifies on all replicas until `isOver`, and returns when each was admitted. */
const hammer = async (
  secret: string,
  isOver: (progress: Progress) => boolean,
  replicas = REPLICAS,
) => {
  const admittedMs: number[] = [];
  let refusedSince = 0;
  const loops = Array.from({ length: replicas * IN_FLIGHT }, async (_, n) => {
    while (!isOver({ admitted: admittedMs.length, refusedSince })) {
      const { body } = await service.verify(secret, {}, { replica: n % replicas });
      if (body.is_valid === true) {
        admittedMs.push(performance.now());
        refusedSince = 0;
      } else if (body.error_code === 'VERIFICATION_ERROR_RATE_LIMITED') {
        refusedSince += 1;
      } else {
        throw new Error(JSON.stringify(body));
      }
    }
  });
  await Promise.all(loops);
  return admittedMs;
};

/** The quota is used up. */
const untilRefused = ({ refusedSince }: Progress) => refusedSince > 500;

it('a strict limit admits exactly its quota', async () => {
  const { secret } = await service.issue(limitOf(300, '10d', { strict: true }));
  expect(await hammer(secret, untilRefused)).toHaveLength(300);
});

it('a leased limit admits its quota, and one lease for each process at most', async () => {
  const quota = 2_000;
  const { secret } = await service.issue(limitOf(quota, '10d'));
  const admitted = await hammer(secret, untilRefused);
  expect(admitted.length).toBeLessThanOrEqual(quota * (1 + REPLICAS / 100));
  expect(admitted.length).toBeGreaterThan(quota * (1 - REPLICAS / 100));
});

it('no stretch of time has more than burst and refill, also where two windows would meet', async () => {
  const [quota, windowMs] = [600, 3_000];
  const { secret } = await service.issue(limitOf(quota, `${windowMs / 1000}s`));
  // The burst, and then as much as comes back.
  const isRefilled = ({ admitted }: Progress) => admitted > quota * 2.5;
  const times = (await hammer(secret, isRefilled)).sort((a, b) => a - b);
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
});

it('a process that is killed takes one lease with it', async () => {
  const quota = 4_000;
  const { secret } = await service.issue(limitOf(quota, '10d'));
  const killed = service.replicas[REPLICAS - 1];
  const before = await hammer(secret, ({ admitted }) => admitted > quota / 3);
  killed?.process.kill('SIGKILL');
  const after = await hammer(secret, untilRefused, REPLICAS - 1);
  expect(before.length + after.length).toBeLessThanOrEqual(quota * 1.03);
  expect(before.length + after.length).toBeGreaterThan(quota * 0.97);
});
