import {
  LINK_ACTIONS,
  type LinkAction,
  type PersonChange,
  type PersonState,
} from '@gatehouse/schemas';

/** A person as one of its actors. */
export interface Person {
  readonly userId: string;
  readonly actorId: string;
  readonly state: PersonState;
  /** False for an actor that the person was once: it follows the person all the same. */
  readonly isCurrent: boolean;
  /** A bigint, as text. */
  readonly sequence: string;
  /** The newest snapshot that named the person; '0' for none. */
  readonly snapshot: string;
}

/** The standing of a person, and what its link says to do in it. */
export interface Standing {
  readonly actorId: string;
  readonly sourceId: string;
  readonly userId: string;
  readonly isActive: boolean;
  readonly action: LinkAction;
}

/**
 * What to do with the keys of an actor. While a directory of the tenant has the person active, they work.
 * Otherwise the strongest action counts.
 *
 * @param standings of one actor in one tenant, at least one
 */
export function decisionFor(standings: readonly Standing[]): {
  keys: LinkAction | 'resume';
  /** The person on whose account. */
  standing: Standing;
} {
  const active = standings.find(({ isActive }) => isActive);
  if (active) return { keys: 'resume', standing: active };
  const rank = ({ action }: Standing) => LINK_ACTIONS.indexOf(action);
  const standing = standings.reduce((most, each) => (rank(each) > rank(most) ? each : most));
  return { keys: standing.action, standing };
}

/**
 * The rows that change. A change that is not newer than what is known of its person changes no state: events
 * and pages of snapshots are delivered at least once, and meet in any order.
 *
 * @param known all rows of the people that the changes are about
 * @param snapshot that the changes are a page of; undefined for events
 */
export function changedPeople(
  known: readonly Person[],
  changes: readonly PersonChange[],
  snapshot: string | undefined,
): Person[] {
  const people = new Map<string, Person[]>();
  for (const person of known) {
    people.set(person.userId, [...(people.get(person.userId) ?? []), person]);
  }
  for (const change of changes) {
    const before = people.get(change.user_id) ?? [];
    people.set(change.user_id, after(before, change, snapshot));
  }
  const unchanged = new Set<Person>(known);
  return [...people.values()].flat().filter((person) => !unchanged.has(person));
}

function after(
  before: readonly Person[],
  change: PersonChange,
  snapshot: string | undefined,
): Person[] {
  const { user_id: userId, actor_ids: actorIds, state, sequence } = change;
  const isNewer = before.every((person) => BigInt(person.sequence) < BigInt(sequence));
  if (!isNewer) {
    return snapshot === undefined ? [...before] : before.map((person) => ({ ...person, snapshot }));
  }
  const actors = new Set([...before.map(({ actorId }) => actorId), ...actorIds]);
  const seen = snapshot ?? before[0]?.snapshot ?? '0';
  return [...actors].map((actorId) => ({
    userId,
    actorId,
    state,
    isCurrent: actorIds.includes(actorId),
    sequence,
    snapshot: seen,
  }));
}
