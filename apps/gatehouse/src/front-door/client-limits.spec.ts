import { ClientLimits } from './client-limits.js';

let nowMs: number;
let limits: ClientLimits;
beforeEach(() => {
  nowMs = 5_000;
  limits = new ClientLimits(() => nowMs);
});

const CLIENT = '192.0.2.1';
/** How many of these requests in turn pass. */
const passing = (count: number, isAnonymous = false, client = CLIENT) => {
  let passed = 0;
  for (let n = 0; n < count; n++) {
    const leave = limits.admit(client, isAnonymous);
    if (leave === undefined) continue;
    passed += 1;
    leave();
  }
  return passed;
};

it.each([
  ['with a credential', false, 500, 1_000],
  ['without a credential', true, 20, 100],
])('%s, a client has a burst, and then its rate', (_, isAnonymous, perSecond, burst) => {
  expect(passing(3_000, isAnonymous)).toBe(burst + 1);
  nowMs += 1_000;
  expect(passing(3_000, isAnonymous)).toBe(perSecond);
  nowMs += 1_000 / perSecond;
  expect(passing(10, isAnonymous)).toBe(1);
  nowMs += 3_600_000;
  expect(passing(3_000, isAnonymous)).toBe(burst + 1);
});

it('requests without a credential count as requests, not the other way around', () => {
  expect(passing(500)).toBe(500);
  expect(passing(200, true)).toBe(101);
  expect(passing(1_000)).toBe(1_001 - 500 - 101);
});

it('a refused request counts for nothing', () => {
  passing(101, true);
  expect(passing(10_000, true)).toBe(0);
  expect(passing(2_000)).toBe(1_001 - 101);
  nowMs += 50;
  expect(passing(10, true)).toBe(1);
});

it('clients are counted apart', () => {
  passing(2_000);
  expect(passing(2_000, false, '192.0.2.2')).toBe(1_001);
});

it('a client has 256 requests at the same time', () => {
  const leaving = Array.from({ length: 256 }, () => limits.admit(CLIENT, false));
  expect(leaving).not.toContain(undefined);
  expect(limits.admit(CLIENT, false)).toBeUndefined();
  leaving.pop()?.();
  expect(limits.admit(CLIENT, false)).toBeDefined();
  expect(limits.admit(CLIENT, false)).toBeUndefined();
});

it('of more than 80,000 clients, those seen last are remembered', () => {
  passing(2_000);
  for (let n = 1; n < 80_000; n++) passing(1, false, String(n));
  expect(passing(1)).toBe(0);
  for (let n = 0; n < 80_000; n++) passing(1, false, `other ${n}`);
  expect(passing(1)).toBe(1);
});
