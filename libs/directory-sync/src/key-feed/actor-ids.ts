/** The ids that a person has as an actor of keys, by the key link of its tenant and product. */
import { type JsonObject, readAttribute, userResourceType } from '@gatehouse/scim';
import { lengthOf } from '@gatehouse/kit/input';
import { type PeopleLink } from '@gatehouse/schemas';

/** A user, as it is stored and as it is in events. */
export interface Person {
  id: string;
  email: string;
  active: boolean;
  raw: JsonObject;
}

/** Longer ids are no actors. */
const ACTOR_CHARACTERS_MAX = 255;

/**
 * The value of the linked attribute behind the prefix; user names and addresses also in lower case, as
 * applications often store them. None without a value, or with an address at a foreign domain.
 */
export function actorIdsOf(
  person: Person,
  link: PeopleLink,
  attributeMapping: Record<string, string> | null,
): string[] {
  const { attribute, actor_prefix: prefix, email_domains: domains } = link;
  const value = valueOf(person, attribute, attributeMapping);
  if (typeof value !== 'string' || value === '') return [];
  const domain = value.slice(value.lastIndexOf('@') + 1).toLowerCase();
  if (domains.length > 0 && !(value.includes('@') && domains.includes(domain))) return [];
  const hasCase = attribute === 'userName' || attribute === 'email';
  const values = hasCase ? [value, value.toLowerCase()] : [value];
  const ids = new Set(values.map((each) => prefix + each));
  return [...ids].filter((id) => lengthOf(id) <= ACTOR_CHARACTERS_MAX);
}

function valueOf(
  { id, email, raw }: Person,
  attribute: string,
  mapping: Record<string, string> | null,
): unknown {
  if (attribute === 'id') return id;
  if (attribute === 'email') return email;
  if (attribute === 'userName' || attribute === 'externalId') {
    return readAttribute(raw, attribute, userResourceType);
  }
  const path = new Map(Object.entries(mapping ?? {})).get(attribute);
  return path === undefined ? undefined : readAttribute(raw, path, userResourceType);
}
