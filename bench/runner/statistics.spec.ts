import { parseCoreList } from './cores.js';
import { formatTable } from './report.js';
import { compare, isReached, median, summarize } from './statistics.js';
import { type HttpRow } from './types.js';

describe('median', () => {
  test.each([
    [[3], 3],
    [[9, 1, 5], 5],
    [[4, 1, 2, 100], 3],
  ])('of %j is %d', (values, expected) => {
    expect(median(values)).toBe(expected);
  });

  test('of no values is an error', () => {
    expect(() => median([])).toThrow(RangeError);
  });
});

test('the ratio is that of the medians, beside the ratios of the rounds', () => {
  const rounds = (rates: number[]) =>
    rates.map((ratePerSecond) => ({ ratePerSecond, p50Ms: 1, p99Ms: 2, cpuMicrosPerUnit: 1 }));
  const row = { kind: 'http', name: 'a row', aim: { ratio: 0.5 } } as HttpRow;
  const subject = summarize('subject', rounds([50, 60, 10]));
  const result = compare(row, subject, summarize('floor', rounds([100, 100, 100])));
  expect(result).toMatchObject({ ratio: 0.5, ratios: [0.5, 0.6, 0.1], reached: true });
  expect(formatTable([result])).toMatch(
    /subject +50 requests +1\.00 +2\.00 +1 +0\.500 +1\.000 +>= 0\.5 +reached/,
  );
});

test('an aim is reached when each of its numbers is', () => {
  expect(isReached(undefined, {})).toBeUndefined();
  expect(isReached({ ratio: 1, ratePerSecond: 10 }, { ratio: 1, ratePerSecond: 9 })).toBe(false);
  expect(isReached({ ratio: 1 }, {})).toBe(false);
  expect(isReached({ ratio: 1 }, { ratio: Number.NaN })).toBe(false);
  expect(isReached({ atMost: 120 }, { value: 120 })).toBe(true);
  expect(isReached({ atLeast: 120 }, { value: 119 })).toBe(false);
});

test('a list of cores is read in the notation of the kernel', () => {
  expect(parseCoreList('0-3,8')).toEqual([0, 1, 2, 3, 8]);
  expect(parseCoreList('5')).toEqual([5]);
});
