import { Lease } from './lease.js';

const NOW_MS = 60_000;

it('a lease can be spent for a second, and then gives back what is left', () => {
  const lease = new Lease();
  lease.add(5, NOW_MS);
  expect([lease.has(5, NOW_MS), lease.has(6, NOW_MS), lease.has(5, NOW_MS + 999)]).toEqual([
    true,
    false,
    true,
  ]);
  lease.spend(2, NOW_MS);
  expect(lease.end(NOW_MS + 999)).toBe(0);
  expect(lease.has(1, NOW_MS + 1_000)).toBe(false);
  expect(lease.end(NOW_MS + 1_000)).toBe(3);
  expect(lease.units).toBe(0);
});

it('units that are added do not prolong a lease', () => {
  const lease = new Lease();
  lease.add(1, NOW_MS);
  lease.add(1, NOW_MS + 600);
  expect(lease.startedAtMs).toBe(NOW_MS);
  expect(lease.has(1, NOW_MS + 1_000)).toBe(false);
});

it('a lease is over when it is told to end', () => {
  const lease = new Lease();
  lease.add(1, NOW_MS);
  lease.endBy(NOW_MS + 100);
  expect([lease.has(1, NOW_MS + 99), lease.has(1, NOW_MS + 100)]).toEqual([true, false]);
  expect(lease.end(NOW_MS, { isLast: true })).toBe(1);
});

it('a slice is as large as the use of the second before, from four units on', () => {
  const lease = new Lease();
  lease.addUse(3, NOW_MS);
  expect(lease.slice(100)).toBe(0);
  lease.addUse(3, NOW_MS + 1);
  expect([lease.slice(100), lease.slice(5)]).toEqual([6, 5]);
  lease.addUse(1, NOW_MS + 1_500);
  expect(lease.slice(100)).toBe(6);
  lease.addUse(1, NOW_MS + 4_000);
  expect(lease.slice(100)).toBe(0);
});
