import { parseDateTime } from './date-time.js';

it.each([
  ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
  ['2015-03-02t12:30:00.5+02:00', Date.UTC(2015, 2, 2, 10, 30, 0, 500)],
  ['2015-03-02T12:30', Date.UTC(2015, 2, 2, 12, 30)],
  ['2015-03-02', Date.UTC(2015, 2, 2)],
])('reads %s', (text, instant) => {
  expect(parseDateTime(text)).toBe(instant);
});

it.each([
  '2015-02-30T00:00:00Z',
  '2015-02-29',
  '2015-04-31T00:00:00+02:00',
  '2015-00-10',
  '2015-13-01',
  '2015-01-01T25:00:00Z',
  '0000-01-01',
  'yesterday',
])('refuses %s', (text) => {
  expect(parseDateTime(text)).toBeUndefined();
});
