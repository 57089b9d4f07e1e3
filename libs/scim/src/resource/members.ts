import { invalidValue } from '../errors/scim-error.js';
import { groupSchema } from '../schema/group.schema.js';
import { type AttributeDefinition } from '../schema/attribute.js';
import { isObject } from './json-access.js';
import { type JsonValue, type MemberReference, type ScimResource } from './resource.js';
import { normaliseElements } from './value-normaliser.js';

/** A group's members apart from the group: RFC 7643 section 4.2. */

const found = groupSchema.attributes.find(({ name }) => name === 'members');
if (found === undefined) {
  throw new Error('The Group schema has no members.');
}
export const membersDefinition: AttributeDefinition = found;

/** The id at the end of a reference, for clients that send `$ref` alone. */
function idOfReference(reference: JsonValue | undefined): string | undefined {
  const last = typeof reference === 'string' ? reference.split('/').pop() : undefined;
  return last === '' ? undefined : last;
}

function memberReference(element: JsonValue): MemberReference {
  const { value, type, display, $ref } = isObject(element) ? element : {};
  const id = typeof value === 'string' && value !== '' ? value : idOfReference($ref);
  if (id === undefined) {
    throw invalidValue('members.value must be the id of a member.');
  }
  return {
    value: id,
    ...(typeof type === 'string' ? { type } : {}),
    ...(typeof display === 'string' ? { display } : {}),
    ...(typeof $ref === 'string' ? { $ref } : {}),
  };
}

/**
 * The members that a value names: a list, one object, or an id as text; each member once.
 *
 * @throws ScimError 400 invalidValue when an element has no id.
 */
export function memberReferences(value: JsonValue): MemberReference[] {
  if (value === null) {
    return [];
  }
  return normaliseElements(membersDefinition, value, 'members').map(memberReference);
}

/** Splits a canonical group into what is stored with it and its members. */
export function takeMembers(group: ScimResource): {
  resource: ScimResource;
  members: MemberReference[];
} {
  const { members, ...resource } = group;
  return {
    resource: resource,
    members: members === undefined ? [] : memberReferences(members),
  };
}
