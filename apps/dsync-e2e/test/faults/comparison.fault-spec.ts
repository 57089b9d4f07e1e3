/** The comparison itself finds what it is there to find. */
import { type Evidence, faultsIn } from './comparison.js';

const DIRECTORY = 'directory';

/** Evidence that a test may spoil. */
type Evident = { [Part in keyof Evidence]: Evidence[Part][number][] };

/** Three events that were logged, arrived in order and were recorded. */
function faultless(): Evident {
  const events = [1, 2, 3].map((n) => ({
    id: `event-${n}`,
    sequence: 10 * n,
    change: `user.created user-${n}`,
    directoryId: DIRECTORY,
  }));
  return {
    directories: [{ id: DIRECTORY, changes: events.map(({ change }) => change) }],
    log: events,
    arrivals: events.map((event) => ({ ...event, status: 200 })),
    attempts: events.map(({ id }) => ({ eventId: id, answered: 1, accepted: 1 })),
  };
}

it('accepts a run without faults', () => {
  expect(faultsIn(faultless())).toEqual([]);
});

it.each<[string, (evident: Evident) => void, RegExp]>([
  ['an accepted change is not in the log', ({ log }) => void log.splice(1, 1), /^not logged/],
  [
    'a change is in the log twice',
    ({ log, arrivals, attempts }) => {
      log.push({ ...log[2]!, id: 'double', sequence: 40 });
      arrivals.push({ ...arrivals[2]!, id: 'double', sequence: 40 });
      attempts.push({ ...attempts[2]!, eventId: 'double' });
    },
    /^logged 2 times/,
  ],
  [
    'the log has what was never accepted',
    ({ directories }) => {
      directories[0] = { id: DIRECTORY, changes: ['user.created user-1', 'user.created user-2'] };
    },
    /^logged, but never accepted/,
  ],
  ['an event did not arrive', ({ arrivals }) => void arrivals.splice(1, 1), /^never accepted/],
  [
    'an event arrived, but was never accepted',
    ({ arrivals }) => {
      arrivals[1] = { ...arrivals[1]!, status: 500 };
    },
    /^never accepted/,
  ],
  [
    'an event arrived that was not logged',
    ({ arrivals }) => void arrivals.push({ ...arrivals[2]!, id: 'unknown', sequence: 40 }),
    /^arrived, but not logged/,
  ],
  [
    'an event arrived with another content',
    ({ arrivals }) => {
      arrivals[1] = { ...arrivals[1]!, change: 'user.created user-9' };
    },
    /^altered/,
  ],
  ['events arrived out of order', ({ arrivals }) => void arrivals.reverse(), /arrived after/],
  [
    'an event arrived again',
    ({ arrivals, attempts }) => {
      arrivals.push(arrivals[2]!);
      attempts[2] = { ...attempts[2]!, answered: 2, accepted: 2 };
    },
    /deliveries were repeated$/,
  ],
  [
    'an attempt was not recorded',
    ({ arrivals, attempts }) => {
      arrivals.unshift({ ...arrivals[0]!, status: 500 });
      attempts[0] = { ...attempts[0]!, answered: 1 };
    },
    /attempts were not recorded$/,
  ],
  [
    'an attempt was recorded that did not arrive',
    ({ attempts }) => {
      attempts[0] = { ...attempts[0]!, answered: 2 };
    },
    /^more attempts were recorded than arrived/,
  ],
  [
    'no accepted attempt was recorded',
    ({ attempts }) => {
      attempts[0] = { ...attempts[0]!, accepted: 0 };
    },
    /^no delivery is recorded/,
  ],
])('finds that %s', (_, spoil, fault) => {
  const evidence = faultless();
  spoil(evidence);
  expect(faultsIn(evidence)).toContainEqual(expect.stringMatching(fault));
});
