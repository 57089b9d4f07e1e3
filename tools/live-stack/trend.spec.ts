import { lowestOf, type Sample, trendOf } from './trend.js';

const series = (valueAt: (at: number) => number): Sample[] =>
  Array.from({ length: 60 }, (_, index) => ({ at: index * 10, value: valueAt(index * 10) }));
/** The same noise in every run, between -1 and 1. */
const noise = (at: number) => Math.sin(at * 12.9898) * Math.cos(at * 78.233);

describe('a trend', () => {
  it('is the slope of a line, whatever a few outliers are', () => {
    const line = series((at) => (at === 300 ? 1e9 : 100 + at / 36));
    expect(trendOf(line).perHour).toBeCloseTo(100, 3);
  });

  it('of a line with noise is inside its interval, which is above zero', () => {
    const { lowPerHour, highPerHour } = trendOf(series((at) => 100 + at / 36 + noise(at)));
    expect(lowPerHour).toBeGreaterThan(0);
    expect(lowPerHour).toBeLessThan(100);
    expect(highPerHour).toBeGreaterThan(100);
  });

  it('of noise alone has an interval around zero', () => {
    const { lowPerHour, highPerHour } = trendOf(series((at) => 100 + noise(at)));
    expect(lowPerHour).toBeLessThan(0);
    expect(highPerHour).toBeGreaterThan(0);
  });

  it('of equal samples is zero', () => {
    expect(trendOf(series(() => 7))).toEqual({
      level: 7,
      perHour: 0,
      lowPerHour: 0,
      highPerHour: 0,
    });
  });

  it('needs two samples', () => {
    expect(() => trendOf([{ at: 0, value: 1 }])).toThrow(RangeError);
  });
});

it('the lowest samples of a sawtooth lie on its floor', () => {
  const sawtooth = series((at) => 50 + (at % 50));
  expect(lowestOf(sawtooth, 10).map(({ value }) => value)).toEqual(Array(10).fill(50));
});
