import { type PersonChange, type PersonState } from '@gatehouse/schemas';
import * as fc from 'fast-check';
import {
  ACTORS_OF_PERSON_MAX,
  changedPeople,
  decisionFor,
  type Person,
  type Standing,
} from './person.types.js';

const change = (user: string, actors: string[], state: PersonState, sequence: number) =>
  ({ user_id: user, actor_ids: actors, state, sequence: String(sequence) }) satisfies PersonChange;

/** Stores changes as the repository does. */
function storeOf() {
  const rows = new Map<string, Person>();
  return {
    rows: () => [...rows.entries()].sort().map(([, person]) => person),
    apply: (changes: PersonChange[]) => {
      const users = new Set(changes.map(({ user_id: user }) => user));
      const known = [...rows.values()].filter(({ userId }) => users.has(userId));
      const { stored, dropped } = changedPeople(known, changes);
      for (const person of dropped) rows.delete(`${person.userId} ${person.actorId}`);
      for (const person of stored) rows.set(`${person.userId} ${person.actorId}`, person);
    },
  };
}

const state = fc.constantFrom<PersonState>('active', 'inactive', 'deleted');
const actors = fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 2 });
/** The log of a directory, in its order. */
const log = fc
  .array(fc.tuple(fc.constantFrom('u', 'v'), actors, state), { minLength: 1, maxLength: 12 })
  .map((entries) => entries.map(([user, names, as], at) => change(user, names, as, at + 1)));

describe('changes of people', () => {
  it('end in the newest state, whatever is delivered again in between', () => {
    fc.assert(
      fc.property(log, fc.array(fc.nat(20), { maxLength: 20 }), (changes, repeats) => {
        const once = storeOf();
        const often = storeOf();
        changes.forEach((each, at) => {
          once.apply([each]);
          often.apply([each]);
          // An earlier delivery comes again, as after a crash.
          const again = changes[Math.min(at, repeats[at] ?? at)];
          if (again) often.apply([again]);
        });
        expect(often.rows()).toEqual(once.rows());
        for (const { userId, state: stored } of once.rows()) {
          const newest = changes.findLast(({ user_id: user }) => user === userId);
          expect(stored).toBe(newest?.state);
        }
      }),
    );
  });

  it('give the same rows in one request and one by one', () => {
    fc.assert(
      fc.property(log, (changes) => {
        const together = storeOf();
        const apart = storeOf();
        together.apply(changes);
        for (const each of changes) apart.apply([each]);
        expect(together.rows()).toEqual(apart.rows());
      }),
    );
  });

  it('keep a person that left after a snapshot began', () => {
    const store = storeOf();
    store.apply([change('u', ['a'], 'inactive', 9)]);
    store.apply([change('u', ['b'], 'active', 5)]);
    expect(store.rows()).toEqual([expect.objectContaining({ actorId: 'a', state: 'inactive' })]);
  });

  it('take over the state for every actor that the person has been', () => {
    const store = storeOf();
    store.apply([change('u', ['a'], 'active', 1)]);
    store.apply([change('u', ['b'], 'inactive', 2)]);
    expect(store.rows()).toEqual([
      expect.objectContaining({ actorId: 'a', state: 'inactive', named: '1', sequence: '2' }),
      expect.objectContaining({ actorId: 'b', state: 'inactive', named: '2', sequence: '2' }),
    ]);
  });
});

it('a person keeps a bounded number of former actors, the last ones', () => {
  const store = storeOf();
  for (let at = 1; at <= 2 * ACTORS_OF_PERSON_MAX; at += 1) {
    store.apply([change('u', [`a${at}`], 'active', at)]);
  }
  const kept = store.rows().map(({ actorId }) => Number(actorId.slice(1)));
  expect(Math.min(...kept)).toBe(ACTORS_OF_PERSON_MAX + 1);
  expect(kept).toHaveLength(ACTORS_OF_PERSON_MAX);
});

it.each(['', 'nul\0', 'a"b', 'a\\b', 'x'.repeat(256), '\ud800'])('%j names no actor', (id) => {
  const store = storeOf();
  store.apply([change('u', [id, 'a'], 'active', 1)]);
  expect(store.rows().map(({ actorId }) => actorId)).toEqual(['a']);
});

describe('the keys of an actor', () => {
  const standing = (isActive: boolean, action: Standing['action'] = 'off'): Standing => ({
    actorId: 'a',
    sourceId: 's',
    userId: isActive ? 'here' : `left-${action}`,
    isActive,
    action,
  });

  it.each([
    [[standing(false, 'pause')], 'pause'],
    [[standing(false, 'pause'), standing(false, 'revoke'), standing(false)], 'revoke'],
    [[standing(false)], 'off'],
    [[standing(false), standing(true)], 'resume'],
    // Of two tenants, one has the person active.
    [[standing(false, 'pause'), standing(true)], 'pause'],
  ] as const)('of %j: %s', (standings, keys) => {
    expect(decisionFor(standings).keys).toBe(keys);
  });
});
