/**
 * Runs slow hashes so that they cannot take the processor: one at a time, in a thread, for at most
 * a quarter of a core, and in turns of the prefixes that they were found by. A flood
 * at one prefix fills its own lane only, and a flood at many the queue: both are refused then.
 */
import { DomainError } from '@gatehouse/kit/errors';
import { Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';
import { KeyErrors } from '../../errors.js';

const WAITING_MAX = 64;
const WAITING_OF_LANE_MAX = 4;
const WAIT_MS_MAX = 3_000;
/** The part of a core that the checks may use. */
const CPU_SHARE = 0.25;
/** Processor time that is available at once after idle time. */
const BURST_MS = 1_000;

interface Job {
  readonly deadlineMs: number;
  readonly work: () => boolean | Promise<boolean>;
  resolve(isMatch: boolean): void;
  reject(error: unknown): void;
}

@Injectable()
export class SlowHashPool {
  /** In the order of their next turns. */
  private readonly lanes = new Map<string, Job[]>();
  private waiting = 0;
  private isBusy = false;
  private budgetMs = BURST_MS;
  private budgetAtMs = performance.now();
  private readonly checks: Counter<'outcome'>;

  constructor(registry: Registry) {
    this.checks = new Counter({
      name: 'key_imported_hash_checks_total',
      help: 'Checks of credentials against slow hashes by outcome.',
      labelNames: ['outcome'] as const,
      registers: [registry],
    });
    for (const outcome of ['match', 'mismatch', 'refused']) this.checks.inc({ outcome }, 0);
  }

  /** @throws DomainError `unavailable` when too many checks wait */
  check(lane: string, work: Job['work']): Promise<boolean> {
    const jobs = this.lanes.get(lane) ?? [];
    if (this.waiting >= WAITING_MAX || jobs.length >= WAITING_OF_LANE_MAX) {
      return Promise.reject(this.refusal());
    }
    this.waiting += 1;
    return new Promise((resolve, reject) => {
      jobs.push({ deadlineMs: performance.now() + WAIT_MS_MAX, work, resolve, reject });
      this.lanes.set(lane, jobs);
      if (!this.isBusy) void this.checkAll();
    });
  }

  private async checkAll(): Promise<void> {
    this.isBusy = true;
    for (let job = this.next(); job; job = this.next()) {
      await this.rest();
      if (performance.now() > job.deadlineMs) {
        job.reject(this.refusal());
        continue;
      }
      const startedMs = performance.now();
      try {
        const isMatch = await job.work();
        this.checks.inc({ outcome: isMatch ? 'match' : 'mismatch' });
        job.resolve(isMatch);
      } catch (error) {
        job.reject(error);
      }
      this.budgetMs -= performance.now() - startedMs;
    }
    this.isBusy = false;
  }

  /** The first job of the lane whose turn it is. */
  private next(): Job | undefined {
    const [turn] = this.lanes;
    if (turn === undefined) return undefined;
    const [lane, jobs] = turn;
    const job = jobs.shift();
    this.waiting -= 1;
    this.lanes.delete(lane);
    if (jobs.length > 0) this.lanes.set(lane, jobs);
    return job;
  }

  /** Waits until the processor may be used again. */
  private async rest(): Promise<void> {
    const nowMs = performance.now();
    const earned = Math.max(0, nowMs - this.budgetAtMs) * CPU_SHARE;
    this.budgetMs = Math.min(BURST_MS, this.budgetMs + earned);
    this.budgetAtMs = nowMs;
    if (this.budgetMs >= 0) return;
    const pauseMs = Math.ceil(-this.budgetMs / CPU_SHARE);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }

  private refusal(): DomainError {
    this.checks.inc({ outcome: 'refused' });
    return new DomainError(KeyErrors.IMPORTED_HASHES_BUSY, { retryAfterSeconds: 1 });
  }
}
