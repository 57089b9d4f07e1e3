import { type KeyRing } from '@gatehouse/crypto';
import {
  type BucketCall,
  type BucketCounter,
  type BucketState,
  type Exchange,
} from '@gatehouse/kit/exchange';
import { PeriodicTask } from '@gatehouse/kit/tasks';
import { EXCHANGE } from '@gatehouse/nest-kit/exchange';
import { LOGGER } from '@gatehouse/nest-kit/logging';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnModuleInit,
} from '@nestjs/common';
import { type Logger } from 'pino';
import { Counter, Registry } from 'prom-client';
import { KeyServiceConfig } from '../../config.js';
import { HMAC_RING } from '../../key-rings.js';
import { type LimitDemand } from '../../store/keys/rate-limit.types.js';
import { type VerificationKey } from '../../store/keys/verification-key.js';
import { RateLimitNotices } from '../usage/rate-limit-notices.js';
import { type Account, type Charged, Leases, type Rest } from './leases.js';
import { type LimitOutcome } from './limit-outcome.js';
import { type Bucket, type LimitPlan, planOf, type PlanSettings } from './limit-plan.js';
import {
  countedState,
  leasedState,
  remainingUnits,
  timeAfter,
  uncountedState,
} from './limit-state.js';

const LEASES_INTERVAL_MS = 500;
/** A refusal is repeated without counting for so long at most. */
const REFUSAL_MS_MAX = 250;
/** Leases that are given back at once. */
const GIVE_BACKS_MAX = 100;

/** The charge of a verification to one limit; with an account, it also leases units. */
interface Call extends BucketCall {
  readonly bucket: Bucket;
  readonly account: Account | undefined;
}

/** Counts verifications against the limits of their keys: by a counter that all replicas share, or from leases of it. */
@Injectable()
export class RateLimiter implements OnModuleInit, BeforeApplicationShutdown {
  private readonly counter: BucketCounter;
  private readonly failures: Counter;
  private readonly plans = new WeakMap<VerificationKey, LimitPlan>();
  private readonly leases = new Leases();
  private readonly ending: PeriodicTask;
  private readonly settings: PlanSettings;

  constructor(
    config: KeyServiceConfig,
    @Inject(HMAC_RING) ring: KeyRing,
    @Inject(EXCHANGE) { counters }: Pick<Exchange, 'counters'>,
    @Inject(LOGGER) logger: Logger,
    registry: Registry,
    private readonly notices: RateLimitNotices,
  ) {
    const { rateLimitOnError: onError } = config;
    const isStrict = !config.rateLimitLeases;
    this.settings = { ring, isDenying: onError === 'closed', isStrict };
    this.counter = counters.buckets('keys:rate:', onError);
    this.failures = new Counter({
      name: 'key_rate_limit_failures_total',
      help: 'Requests that were not counted because the store of the counters could not be reached.',
      registers: [registry],
    });
    this.ending = new PeriodicTask({
      run: () => this.giveBack(this.leases.endAll(performance.now())),
      intervalMs: LEASES_INTERVAL_MS,
      logger,
      failureMessage: 'leased units were not given back',
    });
  }

  onModuleInit(): void {
    this.ending.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.ending.stop();
    await this.giveBack(this.leases.endAll(performance.now(), { isLast: true }));
  }

  /**
   * Charges one verification to the limits of its key: at once if leases have what it costs, otherwise with one
   * call of the counter for all limits. All limits are charged, or none. Never throws: if it cannot count, the limits and
   * RATE_LIMIT_ON_ERROR decide.
   */
  charge(
    key: VerificationKey,
    demand: LimitDemand | undefined,
  ): LimitOutcome | Promise<LimitOutcome> {
    const plan = this.plan(key);
    if (demand?.isPeek !== true) {
      const outcome = this.fromMemory(plan, demand);
      if (outcome !== undefined) {
        if (!outcome.isAdmitted) this.notices.announceLater(key.keyId);
        return outcome;
      }
    }
    return this.counted(key, plan, demand);
  }

  private plan(key: VerificationKey): LimitPlan {
    const known = this.plans.get(key);
    if (known !== undefined) return known;
    const plan = planOf(key, this.settings);
    this.plans.set(key, plan);
    return plan;
  }

  private fromMemory(plan: LimitPlan, demand: LimitDemand | undefined): LimitOutcome | undefined {
    const nowMs = performance.now();
    const { refusal, buckets } = plan;
    if (refusal !== undefined) {
      if (refusal.untilMs <= nowMs) plan.refusal = undefined;
      else if (demand === undefined) return refusal.outcome;
    }
    if (!plan.isLeasing) return undefined;
    const accounts: Account[] = [];
    for (const bucket of buckets) {
      const account = this.leases.accountOf(bucket);
      if (!account.lease.has(costOf(bucket, demand), nowMs)) return undefined;
      accounts.push(account);
    }
    const states = accounts.map((account) => {
      this.leases.spend(account, costOf(account.bucket, demand), nowMs);
      return leasedState(account, nowMs);
    });
    return { isAdmitted: true, states, policies: plan.policies };
  }

  private async counted(
    key: VerificationKey,
    plan: LimitPlan,
    demand: LimitDemand | undefined,
  ): Promise<LimitOutcome> {
    const isPeek = demand?.isPeek ?? false;
    const { policies } = plan;
    const calls = plan.buckets.map((bucket) => this.callOf(bucket, plan, demand));
    const answer = await this.counter.charge(calls, isPeek);
    const nowMs = performance.now();
    const states = calls.map(({ bucket, account, cost, slice }, index) => {
      const counted = answer?.buckets[index];
      if (account) {
        const lease = counted && leaseOf(bucket, counted, nowMs);
        this.leases.settle(account, slice, lease, nowMs);
      }
      if (!answer || !counted) return uncountedState(bucket, bucket.isDenying && cost > 0);
      const { backlogMicros } = counted;
      const refusedCost = answer.isAdmitted ? 0 : cost;
      return countedState(bucket, backlogMicros, account?.lease.units ?? 0, refusedCost);
    });
    if (!answer) {
      this.failures.inc();
      return { isAdmitted: !states.some(({ isExceeded }) => isExceeded), states, policies };
    }
    const outcome = { isAdmitted: answer.isAdmitted, states, policies };
    if (!outcome.isAdmitted && !isPeek) {
      this.notices.announceLater(key.keyId);
      if (demand === undefined && !plan.isStrict) {
        const waits = states.map(({ retryAfterMs }) => retryAfterMs ?? REFUSAL_MS_MAX);
        const untilMs = nowMs + Math.min(REFUSAL_MS_MAX, ...waits);
        plan.refusal = { outcome, untilMs };
      }
    }
    return outcome;
  }

  private callOf(bucket: Bucket, plan: LimitPlan, demand: LimitDemand | undefined): Call {
    const cost = costOf(bucket, demand);
    const isLeasing = plan.isLeasing && cost > 0 && !demand?.isPeek;
    const account = isLeasing ? this.leases.accountOf(bucket) : undefined;
    const slice = account ? this.leases.ask(account, cost, performance.now()) : 0;
    return { ...bucketCall(bucket, cost), slice, bucket, account };
  }

  /**
   * Gives units back, less those that have come back by themselves since they were charged: otherwise
   * a bucket that was full meanwhile would get them twice. If they cannot be counted, the rest is lost.
   */
  private async giveBack(rests: readonly Rest[]): Promise<void> {
    for (let from = 0; from < rests.length; from += GIVE_BACKS_MAX) {
      const some = rests.slice(from, from + GIVE_BACKS_MAX);
      const answers = await Promise.all(some.map((rest) => this.giveBackOne(rest)));
      // Otherwise a shutdown could wait for one timeout per lease.
      if (answers.includes(undefined)) return;
    }
  }

  private async giveBackOne({ bucket, units, leasedAtMs }: Rest): Promise<true | undefined> {
    const leasedMs = performance.now() - leasedAtMs;
    const left = units - (leasedMs * 1000) / bucket.unitMicros;
    if (left <= 0) return true;
    const call = bucketCall(bucket, -left);
    return (await this.counter.charge([call], false)) && true;
  }
}

function costOf({ name }: Bucket, demand: LimitDemand | undefined): number {
  return demand?.costs.get(name) ?? 1;
}

function bucketCall(bucket: Bucket, cost: number): BucketCall {
  const { key, unitMicros, windowSeconds } = bucket;
  const [burst, windowMicros] = [Number(bucket.burst), windowSeconds * 1e6];
  return { key, unitMicros, cost, slice: 0, burst, windowMicros };
}

function leaseOf(
  bucket: Bucket,
  { granted, backlogMicros }: BucketState,
  nowMs: number,
): Charged | undefined {
  if (granted === 0) return undefined;
  const remaining = Number(remainingUnits(bucket, backlogMicros));
  const resetAfterMs = Math.ceil(backlogMicros / 1000);
  return {
    units: granted,
    remaining,
    resetAtMs: nowMs + resetAfterMs,
    resetTime: timeAfter(resetAfterMs),
  };
}
