import { retryDelaySeconds } from './retry-delay.js';

const middle = () => 0.5;

describe('retryDelaySeconds', () => {
  it('follows the schedule and ends after the last pause', () => {
    const delays = [1, 2, 3].map((attempts) => retryDelaySeconds(attempts, [5, 30], '', middle));
    expect(delays).toEqual([5, 30, undefined]);
  });

  it('varies by ten percent, so that lanes that failed together do not retry together', () => {
    expect(retryDelaySeconds(1, [100], undefined, () => 0)).toBe(90);
    expect(retryDelaySeconds(1, [100], undefined, () => 1)).toBeCloseTo(110);
  });

  it.each([
    ['30', 30],
    ['2', 5],
    ['999999999', 86_400],
    ['soon', 5],
    ['-7', 5],
  ])('honors Retry-After: %s', (retryAfter, seconds) => {
    expect(retryDelaySeconds(1, [5], retryAfter, middle)).toBe(seconds);
  });

  it('honors a date', () => {
    const retryAfter = new Date(Date.now() + 60_000).toUTCString();
    expect(retryDelaySeconds(1, [5], retryAfter, middle)).toBeGreaterThan(55);
  });
});
