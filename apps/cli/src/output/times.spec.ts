import { relativeTime, secondsOf, timeOf } from './times.js';

const NOW = Date.parse('2026-11-27T12:00:00Z');

it.each([
  ['2026-11-27T11:59:15Z', '45 seconds ago'],
  ['2026-11-27T09:00:00Z', '3 hours ago'],
  ['2026-12-02T13:00:00Z', 'in 5 days'],
  [null, ''],
])('says of %s: %s', (time, words) => {
  expect(relativeTime(time, NOW)).toBe(words);
});

it.each([
  ['90s', 90],
  ['1h30m', 5_400],
  ['1mo', 2_592_000],
  ['1 h', undefined],
  ['60', undefined],
])('reads %s as %s seconds', (text, seconds) => {
  expect(secondsOf(text)).toBe(seconds);
});

it('takes a duration for the time so long ago, and leaves a time as it is', () => {
  expect(timeOf('24h', NOW)).toBe('2026-11-26T12:00:00.000Z');
  expect(timeOf('2026-01-01T00:00:00Z', NOW)).toBe('2026-01-01T00:00:00Z');
});
