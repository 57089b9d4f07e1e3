import { type JsonObject, type JsonValue, type ScimResource } from '@gatehouse/scim';

/** The members of a user that an event contains in addition to `raw`. */
export interface ShownUser {
  id: string;
  firstName: string | null;
  lastName: string | null;
  email: string | null;
  active: boolean;
  /** By the role mapping of the directory; undefined if it has none. */
  roles?: readonly string[];
}

/**
 * `data` of an event about a user; equal to what `userData` builds in SQL, except that `raw` has
 * the groups that the provider has sent, which are not stored.
 */
export function userEventData(
  user: ShownUser,
  raw: ScimResource,
  sentGroups?: JsonValue,
): JsonObject {
  return {
    id: user.id,
    first_name: user.firstName ?? '',
    last_name: user.lastName ?? '',
    email: user.email ?? '',
    active: user.active,
    raw: { ...raw, id: user.id, ...(sentGroups !== undefined && { groups: sentGroups }) },
    ...(user.roles && { roles: [...user.roles] }),
  };
}

/** `previous` of such an event: the members of `data` that changed, with their previous values. */
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
