import { ROOT_CONTEXT, SpanKind, trace, TraceFlags } from '@opentelemetry/api';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  RandomIdGenerator,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import { CallersSampler } from './callers-sampler.js';
import { FROM_CALLER, IS_WANTED } from './traces.js';

const ids = new RandomIdGenerator();
/** Recorded by a sampler of any ratio above 0. */
const CHOSEN = '0'.repeat(31) + '1';
const FEW = 1e-9;

let nowMs = 0;
beforeEach(() => {
  nowMs = 0;
});

const samplerOf = (sampler: Sampler, ratio: number, callersPerSecond = 10) =>
  new CallersSampler(sampler, { ratio, callersPerSecond }, () => nowMs);
const few = (callersPerSecond?: number) => {
  const root = new TraceIdRatioBasedSampler(FEW);
  return samplerOf(new ParentBasedSampler({ root }), FEW, callersPerSecond);
};
const parent = (isSampled: boolean, traceId = ids.generateTraceId(), isRemote = true) =>
  trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId: ids.generateSpanId(),
    traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote,
  });
const records = (sampler: CallersSampler, context = ROOT_CONTEXT, isCaller = true) => {
  const traceId = trace.getSpanContext(context)?.traceId ?? ids.generateTraceId();
  const around = isCaller ? context.setValue(FROM_CALLER, true) : context;
  const { decision } = sampler.shouldSample(around, traceId, '', SpanKind.SERVER, {}, []);
  return decision === SamplingDecision.RECORD_AND_SAMPLED;
};
const countOf = (requests: number, isRecorded: () => boolean) =>
  Array.from({ length: requests }, isRecorded).filter(Boolean).length;

describe('CallersSampler', () => {
  it('decides as its sampler for traces that begin here', () => {
    expect(records(samplerOf(new AlwaysOnSampler(), 1))).toBe(true);
    expect(records(samplerOf(new AlwaysOffSampler(), 0))).toBe(false);
    const quarter = samplerOf(new TraceIdRatioBasedSampler(0.25), 0.25);
    expect(countOf(10_000, () => records(quarter)) / 10_000).toBeCloseTo(0.25, 1);
    expect(countOf(10_000, () => quarter.wantsRoot()) / 10_000).toBeCloseTo(0.25, 1);
    expect(records(few(), ROOT_CONTEXT.setValue(IS_WANTED, true))).toBe(true);
  });

  it('follows the span around it in this process', () => {
    expect(records(samplerOf(new AlwaysOffSampler(), 0), parent(true, undefined, false))).toBe(
      true,
    );
    expect(records(samplerOf(new AlwaysOnSampler(), 1), parent(false, undefined, false))).toBe(
      false,
    );
  });

  it.each([
    ['the sampled flag', few, parent(true)],
    [
      'a chosen trace id',
      (limit?: number) => samplerOf(new TraceIdRatioBasedSampler(FEW), FEW, limit),
      parent(false, CHOSEN),
    ],
  ])('limits the traces that callers demand by %s', (_by, limited, context) => {
    const sampler = limited();
    expect(countOf(1_000, () => records(sampler, context))).toBe(10);
    nowMs += 500;
    expect(countOf(1_000, () => records(sampler, context))).toBe(5);
    nowMs += 60_000;
    expect(countOf(1_000, () => records(sampler, context))).toBe(10);
    expect(countOf(1_000, () => records(limited(0), context))).toBe(0);
  });

  it('does not limit what it would record anyway, nor the services of Gatehouse', () => {
    const all = samplerOf(new ParentBasedSampler({ root: new AlwaysOnSampler() }), 1);
    expect(countOf(100, () => records(all, parent(true)))).toBe(100);
    const sampler = few();
    expect(countOf(100, () => records(sampler, parent(true), false))).toBe(100);
  });
});
