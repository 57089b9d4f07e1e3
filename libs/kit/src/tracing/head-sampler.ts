/**
 * Decides at the start of a trace whether it is recorded, by the standard samplers.
 *
 * A caller chooses the trace id and the sampled flag of its `traceparent`, and both may be chosen so
 * that a sampler records every request. So what a caller demands beyond what the sampler would record
 * anyway is limited to a number of traces per second.
 */
import { type TraceContext } from './trace-context.js';

export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export type Sampler = (typeof SAMPLERS)[number];

export interface SamplerSettings {
  sampler: Sampler;
  /** Of the samplers by ratio. */
  ratio: number;
  callersPerSecond: number;
}

/** `caller`: the other end of a request; `own`: a service of Gatehouse. */
export type Origin = 'caller' | 'own';

const PARENT_BASED = 'parentbased_';
const RATIOS = { always_on: 1, always_off: 0 };

export class HeadSampler {
  private readonly isParentBased: boolean;
  private readonly ratio: number;
  private readonly callersPerSecond: number;
  private tokens: number;
  private filledAtMs: number;

  /** @param isInRatio the standard decision of a ratio for a trace id */
  constructor(
    { sampler, ratio, callersPerSecond }: SamplerSettings,
    private readonly isInRatio: (traceId: string) => boolean,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.isParentBased = sampler.startsWith(PARENT_BASED);
    const root = sampler.replace(PARENT_BASED, '') as keyof typeof RATIOS | 'traceidratio';
    this.ratio = root === 'traceidratio' ? ratio : RATIOS[root];
    this.callersPerSecond = callersPerSecond;
    this.tokens = callersPerSecond;
    this.filledAtMs = now();
  }

  /** Whether a trace that begins here is recorded. It has no id yet, which would be as random. */
  root(): boolean {
    return Math.random() < this.ratio;
  }

  /** Whether a trace that began elsewhere is recorded here. */
  remote(parent: TraceContext, origin: Origin): boolean {
    const isWanted = this.isParentBased ? parent.isSampled : this.isRecorded(parent.traceId);
    if (!isWanted || origin === 'own') return isWanted;
    return Math.random() < this.ratio || this.takeToken();
  }

  private isRecorded(traceId: string): boolean {
    if (this.ratio === 0 || this.ratio === 1) return this.ratio === 1;
    return this.isInRatio(traceId);
  }

  private takeToken(): boolean {
    const nowMs = this.now();
    const filled = this.tokens + ((nowMs - this.filledAtMs) / 1_000) * this.callersPerSecond;
    this.tokens = Math.min(this.callersPerSecond, filled);
    this.filledAtMs = nowMs;
    if (this.tokens < 1) return false;
    this.tokens -= 1;
    return true;
  }
}
