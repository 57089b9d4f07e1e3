import fc from 'fast-check';
import { DurationError, formatDuration, parseDuration } from './duration.js';

describe('parseDuration', () => {
  it.each([
    ['3600s', 3600],
    ['24h', 86_400],
    ['30m', 1800],
    ['1h30m', 5400],
    ['2d', 172_800],
    ['1w', 604_800],
    ['1mo', 2_592_000],
    ['10y', 315_360_000],
  ])('reads %s as %d seconds', (text, seconds) => {
    expect(parseDuration(text)).toBe(seconds);
  });

  it.each(['', '60', '1M', '0s', '-1h', '1.5h', ' 1h', '1h ', 'h', '1h-', '1ms', '1'.repeat(80)])(
    'refuses %j',
    (text) => {
      expect(() => parseDuration(text)).toThrow(DurationError);
    },
  );

  it('reads back what formatDuration writes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000_000_000 }), (seconds) => {
        expect(parseDuration(formatDuration(seconds))).toBe(seconds);
      }),
    );
  });
});
