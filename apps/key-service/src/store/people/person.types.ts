import {
  LINK_ACTIONS,
  type LinkAction,
  type PersonChange,
  type PersonState,
} from '@gatehouse/schemas';

/** A person as one of its actors. Numbers are bigints, as text. */
export interface Person {
  readonly userId: string;
  readonly actorId: string;
  readonly state: PersonState;
  /** The change that named the actor last: less than `sequence` of an actor that the person was once. */
  readonly named: string;
  readonly sequence: string;
}

/** The person who decides for an actor in one tenant, and what its link says to do in its state. */
export interface Standing {
  readonly actorId: string;
  readonly sourceId: string;
  readonly userId: string;
  readonly isActive: boolean;
  readonly action: LinkAction;
}

/** Former actors beyond it no longer follow the person. */
export const ACTORS_OF_PERSON_MAX = 20;
/** What `actor_id` of a key may be. */
const ACTOR_ID = /^[^"\\\p{Cc}\p{Cs}]{1,255}$/u;

/**
 * What to do with the keys of an actor, and the person on whose account. They work while each tenant that
 * knows the actor has it active, or does nothing; otherwise the strongest action counts.
 *
 * @param standings of one actor, one for each tenant, at least one
 */
export function decisionFor(standings: readonly Standing[]): {
  keys: LinkAction | 'resume';
  standing: Standing;
} {
  const rank = ({ action }: Standing) => LINK_ACTIONS.indexOf(action);
  const strongest = standings.reduce((most, each) => (rank(each) > rank(most) ? each : most));
  const active = standings.find(({ isActive }) => isActive);
  if (strongest.action !== 'off' || !active) return { keys: strongest.action, standing: strongest };
  return { keys: 'resume', standing: active };
}

/** Rows to store, and those to delete. */
export interface ChangedPeople {
  readonly stored: readonly Person[];
  readonly dropped: readonly Person[];
}

/**
 * A change that is not newer than what is known of its person changes no state: events and pages of snapshots
 * are delivered at least once, and meet in any order.
 *
 * @param known all rows of the people that the changes are about
 */
export function changedPeople(
  known: readonly Person[],
  changes: readonly PersonChange[],
): ChangedPeople {
  const people = new Map<string, readonly Person[]>(
    changes.map(({ user_id: userId }) => [userId, known.filter((each) => each.userId === userId)]),
  );
  for (const change of changes) {
    const before = people.get(change.user_id) ?? [];
    people.set(change.user_id, after(before, change));
  }
  const kept = [...people.values()].flat();
  const unchanged = new Set(known);
  const actors = new Set(kept.map(nameOf));
  return {
    stored: kept.filter((person) => !unchanged.has(person)),
    dropped: known.filter((person) => !actors.has(nameOf(person))),
  };
}

const nameOf = ({ userId, actorId }: Person) => `${userId} ${actorId}`;

function after(
  before: readonly Person[],
  { user_id: userId, actor_ids: actorIds, state, sequence }: PersonChange,
): readonly Person[] {
  if (before.some((person) => BigInt(person.sequence) >= BigInt(sequence))) return before;
  const named = actorIds.filter((id) => ACTOR_ID.test(id));
  const current = named.map((actorId) => ({ actorId, named: sequence }));
  const former = before
    .filter(({ actorId }) => !named.includes(actorId))
    .sort((a, b) => Number(BigInt(b.named) - BigInt(a.named)));
  return [...current, ...former]
    .slice(0, ACTORS_OF_PERSON_MAX)
    .map((person) => ({ userId, actorId: person.actorId, state, named: person.named, sequence }));
}
