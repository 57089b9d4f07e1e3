/** Counters of limits: the same on Redis and in memory. */
import { eventually } from '@gatehouse/testing';
import fc from 'fast-check';
import {
  type BucketCall,
  type BucketCounter,
  type WindowCounter,
} from '../../src/exchange/index.js';
import { type ExchangeStore, STORES } from './exchange-stores.js';

/** During a test, less than one unit comes back. */
const HOUR_MICROS = 3_600_000_000;
/** What may come back of a unit of an hour. */
const DRAINED = 0.1;

describe.each(STORES)('counters of %s', (_kind, openStore) => {
  let store: ExchangeStore;
  let windows: WindowCounter;
  let buckets: BucketCounter;
  let others: { windows: WindowCounter; buckets: BucketCounter };
  let names = 0;

  beforeAll(async () => {
    store = await openStore();
    const { counters } = await store.start().open();
    windows = counters.windows('a:', 'open');
    buckets = counters.buckets('a:', 'open');
    others = { windows: counters.windows('b:', 'open'), buckets: counters.buckets('b:', 'open') };
  });
  afterAll(() => store.close());

  const newName = () => `{test}:${(names += 1)}`;
  const newCall = (more: Partial<BucketCall> = {}): BucketCall => ({
    key: newName(),
    unitMicros: HOUR_MICROS,
    cost: 1,
    slice: 0,
    burst: 10,
    windowMicros: 10 * HOUR_MICROS,
    ...more,
  });
  /** Whether the calls are admitted, and how many units each bucket lacks then, parts as a whole. */
  const ask = async (calls: BucketCall[], isPeek: boolean) => {
    const { isAdmitted, buckets: states = [] } = (await buckets.charge(calls, isPeek)) ?? {};
    const lacking = states.map(({ backlogMicros }, n) =>
      Math.max(0, Math.ceil(backlogMicros / (calls[n]?.unitMicros ?? 1) - 0.001)),
    );
    return [isAdmitted, ...lacking];
  };
  const charge = (...calls: BucketCall[]) => ask(calls, false);
  const peek = (...calls: BucketCall[]) => ask(calls, true);

  describe('windows', () => {
    it('give each of concurrent calls a count of its own', async () => {
      const name = newName();
      const counted = await Promise.all(
        Array.from({ length: 200 }, () => windows.count(name, 60_000)),
      );
      const counts = counted.map((each) => Number(each?.count)).sort((a, b) => a - b);
      expect(counts).toEqual(Array.from({ length: 200 }, (_, n) => n + 1));
    });

    it('end, and begin again with the next call', async () => {
      const name = newName();
      expect(await windows.count(name, 200)).toMatchObject({ count: 1n });
      await eventually(async () =>
        expect((await windows.count(name, 200))?.count).toBeGreaterThan(1n),
      );
      await eventually(async () =>
        expect(await windows.count(name, 200)).toMatchObject({ count: 1n }),
      );
    });

    it('of other names and prefixes count apart', async () => {
      const name = newName();
      await windows.count(name, 60_000);
      expect(await windows.count(newName(), 60_000)).toMatchObject({ count: 1n });
      expect(await others.windows.count(name, 60_000)).toMatchObject({ count: 1n });
      expect(await windows.count(name, 60_000)).toMatchObject({ count: 2n });
    });

    it('say how long they last, and are not extended by a call', async () => {
      const name = newName();
      const lefts: number[] = [];
      await eventually(async () => {
        lefts.push((await windows.count(name, 60_000))?.leftMs ?? NaN);
        expect(lefts[0]).toBeGreaterThan(lefts.at(-1) as number);
      });
      expect(lefts).toEqual([...lefts].sort((a, b) => b - a));
      expect(lefts[0]).toBeLessThanOrEqual(60_000);
      expect(lefts.at(-1)).toBeGreaterThan(0);
    });
  });

  describe('buckets', () => {
    it('are charged together, or none of them', async () => {
      const [many, few] = [newCall(), newCall({ burst: 2 })];
      expect(await charge(many, few)).toEqual([true, 1, 1]);
      expect(await charge(many, few)).toEqual([true, 2, 2]);
      expect(await charge(many, few)).toEqual([false, 2, 2]);
      expect(await charge(many)).toEqual([true, 3]);
    });

    it('admit no more than the burst of concurrent calls', async () => {
      const call = newCall();
      const charged = await Promise.all(
        Array.from({ length: 50 }, () => buckets.charge([call], false)),
      );
      expect(charged.filter((each) => each?.isAdmitted)).toHaveLength(10);
    });

    it('admit a burst, then a call for each unit that comes back, and are full again in the end', async () => {
      const unitMicros = 300_000;
      const call = newCall({ unitMicros, burst: 2, windowMicros: 2 * unitMicros });
      expect(await charge({ ...call, cost: 2 })).toEqual([true, 2]);
      await eventually(async () => expect((await charge(call))[0]).toBe(true));
      await eventually(async () => expect(await peek(call)).toEqual([true, 0]));
    });

    it('of other keys and prefixes are apart', async () => {
      const call = newCall({ burst: 1 });
      expect(await charge(call)).toEqual([true, 1]);
      expect(await charge(newCall({ burst: 1 }))).toEqual([true, 1]);
      expect(await others.buckets.charge([call], false)).toMatchObject({ isAdmitted: true });
      expect(await charge(call)).toEqual([false, 1]);
    });

    it('are not changed by a peek, which grants nothing', async () => {
      const call = newCall({ cost: 4, slice: 4 });
      expect(await peek(call)).toEqual([true, 0]);
      expect(await charge({ ...call, slice: 0 })).toEqual([true, 4]);
      expect(await peek({ ...call, cost: 7 })).toEqual([false, 4]);
      const { buckets: states } = (await buckets.charge([call], true)) ?? {};
      expect(states).toMatchObject([{ granted: 0 }]);
      expect(await peek(call)).toEqual([true, 4]);
    });

    it('take back what is given back, and are never more than full', async () => {
      const call = newCall();
      expect(await charge({ ...call, cost: 8 })).toEqual([true, 8]);
      expect(await charge({ ...call, cost: -3 })).toEqual([true, 5]);
      expect(await charge({ ...call, cost: -100 })).toEqual([true, 0]);
      expect(await charge({ ...call, cost: 11 })).toEqual([false, 0]);
      expect(await charge({ ...call, cost: 10 })).toEqual([true, 10]);
    });

    it('always admit a call without a cost', async () => {
      const call = newCall({ cost: 10 });
      await charge(call);
      expect(await charge({ ...call, cost: 0 })).toEqual([true, 10]);
    });

    it('grant at most an eighth of what is left in advance, and charge it', async () => {
      const call = newCall({ burst: 81, windowMicros: 81 * HOUR_MICROS, slice: 100 });
      const granted = async (more: Partial<BucketCall>) =>
        (await buckets.charge([{ ...call, ...more }], false))?.buckets[0]?.granted;
      expect(await granted({})).toBe(10);
      expect(await peek(call)).toEqual([true, 11]);
      expect(await granted({ slice: 3 })).toBe(3);
      expect(await granted({ cost: 60 })).toBe(0);
      expect(await peek({ ...call, cost: 0 })).toEqual([true, 75]);
    });

    it('count a backlog longer than the window as the window', async () => {
      const call = newCall({ cost: 10 });
      await charge(call);
      const shorter = { ...call, cost: 1, windowMicros: 2 * HOUR_MICROS };
      expect(await charge(shorter)).toEqual([true, 3]);
    });

    it('agree with a model, whatever they are asked', async () => {
      const asked = fc.record({
        bucket: fc.nat(2),
        more: fc.record({
          cost: fc.integer({ min: -6, max: 12 }),
          slice: fc.integer({ min: 0, max: 12 }),
        }),
      });
      const request = fc.record({
        calls: fc.uniqueArray(asked, { minLength: 1, selector: ({ bucket }) => bucket }),
        isPeek: fc.boolean(),
      });
      const property = fc.asyncProperty(fc.array(request, { maxLength: 30 }), async (requests) => {
        const made = [8, 20, 100].map((burst) =>
          newCall({ burst, windowMicros: burst * HOUR_MICROS }),
        );
        const model = made.map(() => 0);
        for (const { calls, isPeek } of requests) {
          const sent = calls.map(({ bucket, more }) => ({
            ...(made[bucket] as BucketCall),
            ...more,
          }));
          const charged = await buckets.charge(sent, isPeek);
          const backlogs = calls.map(({ bucket }) => model[bucket] as number);
          const isAdmitted = sent.every(
            ({ cost, burst }, n) => cost <= 0 || (backlogs[n] as number) + cost <= burst,
          );
          expect(charged?.isAdmitted).toBe(isAdmitted);
          for (const [n, { cost, slice, burst }] of sent.entries()) {
            const isCharged = isAdmitted && !isPeek;
            const paid = isCharged ? Math.max(0, (backlogs[n] as number) + cost) : backlogs[n];
            const share = Math.floor((burst - (paid as number)) / 8);
            const granted = isCharged ? Math.max(0, Math.min(slice, share)) : 0;
            const expected = (paid as number) + granted;
            const { backlogMicros = NaN, granted: got } = charged?.buckets[n] ?? {};
            expect(got).toBe(granted);
            expect(backlogMicros / HOUR_MICROS).toBeLessThanOrEqual(expected + 0.001);
            expect(backlogMicros / HOUR_MICROS).toBeGreaterThan(expected - DRAINED);
            model[calls[n]?.bucket as number] = expected;
          }
        }
      });
      await fc.assert(property, { numRuns: 50 });
    });

    it('drain with the time that passes, whatever they are asked', async () => {
      const request = fc.record({
        cost: fc.integer({ min: -6, max: 12 }),
        slice: fc.integer({ min: 0, max: 12 }),
      });
      const property = fc.asyncProperty(fc.array(request, { maxLength: 60 }), async (requests) => {
        // About as much comes back as a call takes.
        const call = newCall({ unitMicros: 1_000, burst: 40, windowMicros: 40_000 });
        let [backlogMicros, fromMs, untilMs] = [0, 0, 0];
        for (const { cost, slice } of requests) {
          const startMs = performance.now();
          const charged = await buckets.charge([{ ...call, cost, slice }], false);
          const endMs = performance.now();
          const [state = { backlogMicros: NaN, granted: NaN }] = charged?.buckets ?? [];
          const costMicros = cost * call.unitMicros;
          const drained = (ms: number) => Math.max(0, backlogMicros - ms * 1_000);
          const after = (ms: number) =>
            charged?.isAdmitted
              ? Math.max(0, drained(ms) + costMicros) + state.granted * call.unitMicros
              : drained(ms);
          // The clocks of both processes may differ a little.
          const [leastMs, mostMs] = [startMs - untilMs - 1, endMs - fromMs + 1];
          expect(state.backlogMicros).toBeLessThanOrEqual(after(leastMs));
          expect(state.backlogMicros).toBeGreaterThanOrEqual(after(mostMs));
          const isOver = (ms: number) => cost > 0 && drained(ms) + costMicros > 40_000;
          expect(isOver(charged?.isAdmitted ? mostMs : leastMs)).toBe(!charged?.isAdmitted);
          [backlogMicros, fromMs, untilMs] = [state.backlogMicros, startMs, endMs];
        }
      });
      await fc.assert(property, { numRuns: 50 });
    });
  });
});
