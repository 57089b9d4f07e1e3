import { expiryOf } from './access.js';

it.each([
  [undefined, null],
  [NaN, null],
  [Infinity, null],
  [1e300, null],
  [-5_000, null],
  [Date.UTC(2027, 0, 1), new Date('2027-01-01T00:00:00Z')],
])('reads the expiry %s of a token as a time that can be stored', (ms, expected) => {
  expect(expiryOf(ms)).toEqual(expected);
});
