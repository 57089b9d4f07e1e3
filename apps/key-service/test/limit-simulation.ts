/**
 * Limits in a world of a seed: three replicas with the real `RateLimiter` on the real `RedisBuckets` count one key.
 * Answers of Redis are lost or late, it freezes, is away, and comes back empty; replicas stop, and are killed.
 * The script of Redis is that of `LocalBuckets`: `counters.int-spec` of the kit compares both with one model.
 */
import { KeyRing } from '@gatehouse/crypto';
import {
  type BucketCall,
  type BucketCounter,
  type Counters,
  LOCAL_COUNTERS,
  RedisBuckets,
} from '@gatehouse/kit/exchange';
import { type Process, simulateSeed, World } from '@gatehouse/testing/simulation';
import { type Scheduler } from 'fast-check';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger } from 'pino';
import { Registry } from 'prom-client';
import { KeyServiceConfig } from '../src/config.js';
import { type Account } from '../src/verification/limits/leases.js';
import { type LimitOutcome } from '../src/verification/limits/limit-outcome.js';
import { RateLimiter } from '../src/verification/limits/rate-limiter.js';
import { type RateLimitNotices } from '../src/verification/usage/rate-limit-notices.js';
import { verificationKey } from './verification-rows.js';

const REPLICAS = 3;
const CLIENTS = 3;
const CALLS = 60;
/** A hundredth of the burst, as in `limit-plan.ts`. */
const LEASE_SHARE = 100;
const COMMAND_TIMEOUT_MS = 2_000;
const REFUSAL_MS = 250;
const LOST = 0.02;
const STEPS_MAX = 50_000;

const ring = KeyRing.fromTexts(['a-secret-of-at-least-32-characters']);
const logger = { warn: () => undefined } as unknown as Logger;
const notices = { announceLater: () => undefined } as unknown as RateLimitNotices;

/** @returns the faults of a seed: none if no more is admitted than is charged, and no more charged than the limit has */
export const simulate = (seed: number): Promise<string[]> =>
  simulateSeed(seed, (scheduler, numbers) => new Simulation(scheduler, numbers).run());

/** Units that were counted and admitted, between these times. */
interface Admission {
  startMs: number;
  endMs: number;
  units: number;
}

class Simulation {
  readonly world: World;
  readonly redis: Redis;
  readonly admissions: Admission[] = [];
  /** Whether answers may be lost, Redis be away, and replicas be killed. */
  readonly isHarsh: boolean;
  readonly isDenying: boolean;
  readonly burst: number;
  /** The most units that a process leases. */
  readonly lease: number;
  readonly quota: number;
  /** So long that no unit comes back, in some worlds. */
  readonly windowSeconds: number;
  readonly isStrict: boolean;

  constructor(scheduler: Scheduler, numbers: IterableIterator<number>) {
    this.world = new World(scheduler, numbers, () => this.isHarsh);
    const { world } = this;
    this.isHarsh = world.chance(0.7);
    this.isDenying = world.chance(0.5);
    this.isStrict = world.chance(0.2);
    this.burst = 200 + world.pick(1_800);
    this.quota = this.burst * (1 + world.pick(3));
    this.windowSeconds = world.chance(0.4) ? 31_000_000 : 1 + world.pick(60);
    this.lease = Math.floor(this.burst / LEASE_SHARE);
    this.redis = new Redis(world);
  }

  async run(): Promise<string[]> {
    await this.world.run(() => this.story(), STEPS_MAX);
    return this.world.faults;
  }

  private async story(): Promise<void> {
    const replicas = Array.from({ length: REPLICAS }, () => new Replica(this));
    await Promise.all([...replicas.map((replica) => replica.run()), this.trouble()]);
    const { world, redis } = this;
    const admitted = this.admissions.reduce((sum, { units }) => sum + units, 0);
    const charged = redis.charged - redis.returned;
    if (admitted > charged + 0.001) {
      world.fault(`admitted: ${admitted} units, of ${charged} that were charged`);
    }
    // Units that come back by themselves are not given back.
    const isKept = this.isHarsh || this.windowSeconds < 1e6 || charged - admitted < 0.1;
    if (!isKept) world.fault(`leases: ${charged} units were charged, and ${admitted} admitted`);
    this.checkStretches();
  }

  /** In any stretch of time: the burst, what comes back, and one lease for each process. */
  private checkStretches(): void {
    const { admissions, burst, quota, windowSeconds, redis } = this;
    const leased = this.isStrict ? 0 : this.lease * REPLICAS;
    const byEnd = [...admissions].sort((a, b) => a.endMs - b.endMs);
    for (const { startMs: fromMs } of admissions) {
      let units = 0;
      for (const { startMs, endMs, units: more } of byEnd) {
        if (startMs < fromMs) continue;
        units += more;
        const emptied = redis.emptiedAtMs.filter((at) => at >= fromMs && at <= endMs).length;
        const regained = (quota * (endMs - fromMs)) / (windowSeconds * 1_000);
        const most = (burst + leased) * (1 + emptied) + regained;
        if (units <= most + 0.01) continue;
        this.world.fault(`stretches: ${units} units in ${endMs - fromMs} ms, not ${most}`);
        return;
      }
    }
  }

  /** A Redis that freezes, is away for a while, or comes back without its data. */
  private async trouble(): Promise<void> {
    const { world, redis } = this;
    for (let n = this.isHarsh ? world.pick(3) : 0; n > 0; n--) {
      await sleep(world.pick(4_000));
      redis.state = world.chance(0.5) ? 'frozen' : 'away';
      await sleep(world.pick(6_000));
      if (redis.state === 'away' && world.chance(0.5)) redis.empty();
      redis.thaw();
    }
  }
}

/** The one Redis of all replicas. */
class Redis {
  state: 'answering' | 'frozen' | 'away' = 'answering';
  charged = 0;
  returned = 0;
  readonly emptiedAtMs: number[] = [];
  private buckets!: BucketCounter;
  private waiting: (() => void)[] = [];

  constructor(private readonly world: World) {
    this.open();
  }

  async charge(calls: readonly BucketCall[], isPeek: boolean): Promise<string[]> {
    const charge = await this.buckets.charge(calls, isPeek);
    const { isAdmitted = false, buckets = [] } = charge ?? {};
    calls.forEach(({ cost }, index) => {
      if (!isAdmitted || isPeek) return;
      this.charged += Math.max(cost, 0) + (buckets[index]?.granted ?? 0);
      this.returned += Math.max(-cost, 0);
    });
    const states = buckets.flatMap(({ backlogMicros, granted }) => [backlogMicros, granted]);
    return [isAdmitted ? 1 : 0, ...states].map(String);
  }

  /** Resolves when it reads commands. @throws when it is away */
  async ready(): Promise<void> {
    while (this.state === 'frozen') {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    if (this.state === 'away') throw new Error('Connection is closed.');
  }

  thaw(): void {
    this.state = 'answering';
    this.waiting.splice(0).forEach((wake) => wake());
  }

  empty(): void {
    this.emptiedAtMs.push(this.world.now);
    this.open();
  }

  private open(): void {
    this.buckets = LOCAL_COUNTERS.buckets('', '');
  }
}

/** A process: its limiter, its connection to Redis, and its clients. */
class Replica {
  private readonly process: Process = { isDead: false };
  private readonly limiter: RateLimiter;
  /** Commands without an answer; and whether the last one was silently dropped. */
  private failures = 0;
  private isSilent = false;
  private refusedAtMs = -Infinity;

  constructor(private readonly simulation: Simulation) {
    const connection = { defineCommand: () => undefined, countLimits: this.countLimits.bind(this) };
    const counters = {
      buckets: (prefix: string, onError: string) =>
        new RedisBuckets(connection as never, prefix, logger, onError),
    } as unknown as Counters;
    const { isDenying } = simulation;
    const config = Object.assign(new KeyServiceConfig(), {
      rateLimitOnError: isDenying ? 'closed' : 'open',
    });
    const more = [logger, new Registry(), notices] as const;
    this.limiter = new RateLimiter(config, ring, { counters }, ...more);
  }

  async run(): Promise<void> {
    const { world, isHarsh } = this.simulation;
    world.as(this.process, () => this.limiter.onModuleInit());
    const clients = Promise.all(Array.from({ length: CLIENTS }, () => this.client()));
    await Promise.race([sleep(world.pick(8_000)), clients]);
    this.process.isDead = isHarsh && world.chance(0.3);
    if (this.process.isDead) return;
    await world.as(this.process, () => this.limiter.beforeApplicationShutdown());
    await clients;
  }

  private async client(): Promise<void> {
    const { world, burst, quota, windowSeconds, isStrict } = this.simulation;
    const numbers = { quota: String(quota), burst: String(burst), windowSeconds };
    const rest = { scope: 'key', tag: '', onError: null, isStrict };
    const limits = JSON.stringify([{ name: 'units', ...numbers, ...rest }]);
    const key = verificationKey({ key_id: 'key', rate_limits: limits });
    for (let n = world.pick(CALLS); n > 0 && !this.process.isDead; n--) {
      await this.verify(key);
      await sleep(world.pick(world.chance(0.1) ? 1_500 : 60));
    }
  }

  private async verify(key: ReturnType<typeof verificationKey>): Promise<void> {
    const { world, burst, lease } = this.simulation;
    const units = world.chance(0.7) ? 1 : 1 + world.pick(Math.floor(burst / 10));
    const costs = new Map([['units', units]]);
    const demand = units === 1 ? undefined : { costs, creditCost: 1, isPeek: false };
    const startMs = world.now;
    const { failures, isSilent } = this;
    const charged = world.as(this.process, () => this.limiter.charge(key, demand));
    const outcome = await charged;
    if (this.process.isDead) return;
    if (this.held > lease) world.fault(`leases: ${this.held} units, of ${lease}`);
    this.judge(outcome, { startMs, endMs: world.now, units }, charged === outcome);
    if (outcome.states[0]?.remaining === undefined && !isSilent && failures === this.failures) {
      world.fault('fallback: Redis has answered all, and one was not counted');
    }
  }

  /** Units that the process has leased, and can spend. */
  private get held(): number {
    const { leases } = this.limiter as unknown as { leases: { lent: Set<Account> } };
    return [...leases.lent].reduce((sum, { lease }) => sum + lease.units, 0);
  }

  private judge({ isAdmitted, states }: LimitOutcome, admission: Admission, isOfMemory: boolean) {
    const { world, isDenying, admissions } = this.simulation;
    if (states[0]?.remaining === undefined) {
      if (isAdmitted === isDenying) world.fault(`fallback: ${isAdmitted}, without a count`);
    } else if (isAdmitted) {
      admissions.push(admission);
    } else if (!isOfMemory) {
      this.refusedAtMs = world.now;
    } else if (world.now - this.refusedAtMs > REFUSAL_MS) {
      world.fault(`fallback: a refusal was repeated after ${world.now - this.refusedAtMs} ms`);
    }
  }

  /** The command of the script, as the client of Redis sends it. */
  private async countLimits(count: number, ...values: string[]): Promise<string[]> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('Command timed out')), COMMAND_TIMEOUT_MS);
    });
    try {
      const answer = await Promise.race([this.ask(count, values), timeout]);
      this.isSilent = false;
      return answer;
    } catch (error) {
      this.failures += 1;
      this.isSilent = (error as Error).message === 'Command timed out';
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  private async ask(count: number, values: readonly string[]): Promise<string[]> {
    const { redis } = this.simulation;
    const keys = values.slice(0, count);
    const isPeek = values[count] === '1';
    const numbers = values.slice(count + 1).map(Number);
    const calls = keys.map((key, index): BucketCall => {
      const [unitMicros, cost, slice, burst, windowMicros] = numbers.slice(index * 5);
      return { key, unitMicros, cost, slice, burst, windowMicros } as BucketCall;
    });
    await this.travel();
    await redis.ready();
    const answer = await redis.charge(calls, isPeek);
    await this.travel();
    await redis.ready();
    return answer;
  }

  /** A message between the process and Redis. */
  private async travel(): Promise<void> {
    const { world, isHarsh } = this.simulation;
    await world.step('message');
    world.process = this.process;
    const isLost = isHarsh && world.chance(LOST / 4);
    if (isLost || this.process.isDead) await new Promise(() => undefined);
    if (isHarsh && world.chance(LOST)) throw new Error('Connection is closed.');
  }
}
