import { HeadSampler, type SamplerSettings } from './head-sampler.js';
import { newSpanId, newTraceId } from './trace-context.js';

/** The first digit of the trace id stands for the ratio. */
const isInRatio = (traceId: string) => traceId.startsWith('0');
const CHOSEN = '0'.repeat(31) + '1';

let nowMs = 0;
const samplerOf = (settings: Partial<SamplerSettings>) =>
  new HeadSampler(
    { sampler: 'parentbased_traceidratio', ratio: 1e-9, callersPerSecond: 10, ...settings },
    isInRatio,
    () => nowMs,
  );
const parent = (isSampled: boolean, traceId = newTraceId()) => ({
  traceId,
  spanId: newSpanId(),
  isSampled,
});
const countOf = (requests: number, isRecorded: () => boolean) =>
  Array.from({ length: requests }, isRecorded).filter(Boolean).length;

beforeEach(() => {
  nowMs = 0;
});

describe('HeadSampler', () => {
  it('decides for traces that begin here as the standard says', () => {
    const roots = (sampler: SamplerSettings['sampler']) => {
      const head = samplerOf({ sampler, ratio: 0.25 });
      return countOf(10_000, () => head.root()) / 10_000;
    };
    expect(roots('always_on')).toBe(1);
    expect(roots('always_off')).toBe(0);
    expect(roots('traceidratio')).toBeCloseTo(0.25, 1);
    expect(roots('parentbased_always_on')).toBe(1);
    expect(roots('parentbased_always_off')).toBe(0);
    expect(roots('parentbased_traceidratio')).toBeCloseTo(0.25, 1);
  });

  it('follows the flag of a caller if it is parent-based, else its own ratio', () => {
    expect(samplerOf({}).remote(parent(true), 'caller')).toBe(true);
    expect(samplerOf({}).remote(parent(false, CHOSEN), 'caller')).toBe(false);
    const always = samplerOf({ sampler: 'always_on' });
    expect(always.remote(parent(false), 'caller')).toBe(true);
    const never = samplerOf({ sampler: 'always_off' });
    expect(never.remote(parent(true, CHOSEN), 'caller')).toBe(false);
  });

  it.each([
    ['the sampled flag', 'parentbased_traceidratio', parent(true)],
    ['the sampled flag, although no trace is wanted', 'parentbased_always_off', parent(true)],
    ['a chosen trace id', 'traceidratio', parent(false, CHOSEN)],
  ] as const)('limits the traces that callers demand by %s', (_by, sampler, context) => {
    const head = samplerOf({ sampler });
    expect(countOf(1_000, () => head.remote(context, 'caller'))).toBe(10);
    nowMs += 500;
    expect(countOf(1_000, () => head.remote(context, 'caller'))).toBe(5);
    nowMs += 60_000;
    expect(countOf(1_000, () => head.remote(context, 'caller'))).toBe(10);
    const closed = samplerOf({ sampler, callersPerSecond: 0 });
    expect(countOf(1_000, () => closed.remote(context, 'caller'))).toBe(0);
  });

  it('does not limit what it would record anyway, nor the services of Gatehouse', () => {
    const all = samplerOf({ sampler: 'parentbased_always_on' });
    expect(countOf(100, () => all.remote(parent(true), 'caller'))).toBe(100);
    const few = samplerOf({});
    expect(countOf(100, () => few.remote(parent(true), 'own'))).toBe(100);
  });
});
