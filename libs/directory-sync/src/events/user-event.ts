import type { JsonObject, ScimResource } from '@gatehouse/scim';

/** What an event shows of a user beside its `raw`. */
export interface ShownUser {
  id: string;
  firstName: string | null;
  lastName: string | null;
  email: string | null;
  active: boolean;
}

/** `data` of an event about a user whose new state is at hand, as `userData` makes it in SQL. */
export function userEventData(user: ShownUser, raw: ScimResource): JsonObject {
  return {
    id: user.id,
    first_name: user.firstName ?? '',
    last_name: user.lastName ?? '',
    email: user.email ?? '',
    active: user.active,
    raw: { ...raw, id: user.id },
  };
}

/** `previous` of such an event: the members of `data` that have other values now, with the old ones. */
export function previousEventData(
  before: ShownUser,
  rawBefore: ScimResource,
  after: ShownUser,
): JsonObject {
  const old = userEventData(before, rawBefore);
  const now = userEventData(after, rawBefore);
  const previous: JsonObject = {};
  for (const name of ['first_name', 'last_name', 'email', 'active']) {
    if (old[name] !== now[name]) previous[name] = old[name];
  }
  previous.raw = old.raw;
  return previous;
}
