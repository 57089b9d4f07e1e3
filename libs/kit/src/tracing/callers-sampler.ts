/**
 * The sampler of the settings, within a limit for callers. A caller chooses the trace id and the sampled
 * flag of its `traceparent`, and both may be chosen so that a sampler records every request. So what a
 * caller demands beyond what the sampler would record anyway is limited to a number of traces per second.
 */
import {
  type Attributes,
  type Context,
  type Link,
  type SpanKind,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import { type Sampler, SamplingDecision, type SamplingResult } from '@opentelemetry/sdk-trace';
import { FROM_CALLER, IS_WANTED } from './traces.js';

const RECORD: SamplingResult = { decision: SamplingDecision.RECORD_AND_SAMPLED };
const DROP: SamplingResult = { decision: SamplingDecision.NOT_RECORD };

export interface CallersSamplerOptions {
  /** The part of the traces that begin here which `sampler` records. */
  readonly ratio: number;
  readonly callersPerSecond: number;
}

export class CallersSampler implements Sampler {
  private tokens: number;
  private filledAtMs: number;

  constructor(
    private readonly sampler: Sampler,
    private readonly options: CallersSamplerOptions,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.tokens = options.callersPerSecond;
    this.filledAtMs = now();
  }

  /** Whether a trace that begins here is recorded. It has no id yet, which would be as random. */
  wantsRoot(): boolean {
    return Math.random() < this.options.ratio;
  }

  shouldSample(
    context: Context,
    traceId: string,
    name: string,
    kind: SpanKind,
    attributes: Attributes,
    links: Link[],
  ): SamplingResult {
    const parent = trace.getSpanContext(context);
    if (parent !== undefined && parent.isRemote !== true) {
      return (parent.traceFlags & TraceFlags.SAMPLED) === 0 ? DROP : RECORD;
    }
    if (context.getValue(IS_WANTED) === true) return RECORD;
    const result = this.sampler.shouldSample(context, traceId, name, kind, attributes, links);
    const isRecorded = result.decision === SamplingDecision.RECORD_AND_SAMPLED;
    const isDemanded = parent !== undefined && context.getValue(FROM_CALLER) === true;
    if (!isRecorded || !isDemanded) return result;
    return this.wantsRoot() || this.takeToken() ? result : DROP;
  }

  toString(): string {
    return `CallersSampler(${this.sampler.toString()})`;
  }

  private takeToken(): boolean {
    const { callersPerSecond } = this.options;
    const nowMs = this.now();
    const filled = this.tokens + ((nowMs - this.filledAtMs) / 1_000) * callersPerSecond;
    this.tokens = Math.min(callersPerSecond, filled);
    this.filledAtMs = nowMs;
    if (this.tokens < 1) return false;
    this.tokens -= 1;
    return true;
  }
}
