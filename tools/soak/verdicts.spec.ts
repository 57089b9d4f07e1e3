import { type Sample } from '../live-stack/samples.js';
import { verdictsOf } from './verdicts.js';

const MIB = 2 ** 20;
/** The same noise in every run, between -1 and 1. */
const noise = (at: number) => Math.sin(at * 12.9898) * Math.cos(at * 78.233);
/** The sawtooth of a heap, with noise. */
const heap = (perHour: number, minutes = 10): Sample[] =>
  Array.from({ length: minutes * 15 }, (_, index) => ({
    at: index * 4,
    value: (80 + (index % 9) * 3 + noise(index)) * MIB + ((index * 4) / 3_600) * perHour,
  }));

it('a heap that leaks 100 MiB in an hour fails', () => {
  const { rows, growing, undecided } = verdictsOf(new Map([['a heap', heap(100 * MIB)]]));
  expect({ growing, undecided }).toEqual({ growing: ['a heap'], undecided: [] });
  expect(rows[1]?.at(-1)).toBe('grows');
});

it('a heap that only goes up and down passes', () => {
  const { rows, growing, undecided } = verdictsOf(new Map([['a heap', heap(0)]]));
  expect({ growing, undecided }).toEqual({ growing: [], undecided: [] });
  expect(rows[1]?.at(-1)).toBe('flat');
});

it('descriptors and connections that leak one a minute fail', () => {
  const leak = heap(0).map(({ at }) => ({ at, value: 40 + Math.floor(at / 60) }));
  const names = ['a descriptors', 'PostgreSQL connections', 'Redis clients'];
  expect(verdictsOf(new Map(names.map((name) => [name, leak]))).growing).toEqual(names);
});

it('a run of a minute neither passes nor fails, even if the heap grows', () => {
  const { rows, growing, undecided } = verdictsOf(new Map([['a heap', heap(900 * MIB, 1)]]));
  expect({ growing, undecided }).toEqual({ growing: [], undecided: ['a heap'] });
  expect(rows[1]?.at(-1)).toBe('too short');
});

it('a series that could not be read does not pass', () => {
  const unread = heap(0).map(({ at }) => ({ at, value: NaN }));
  const { rows, undecided } = verdictsOf(new Map([['a descriptors', unread]]));
  expect(undecided).toEqual(['a descriptors']);
  expect(rows[1]?.at(-1)).toBe('no samples');
});
