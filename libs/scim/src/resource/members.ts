import { invalidValue } from '../errors/scim-error.js';
import { isObject } from '../json/json-access.js';
import { type JsonValue } from '../json/json.js';
import { type AttributeDefinition } from '../schema/attribute.js';
import { GROUP_SCHEMA } from '../schema/group.schema.js';
import { type MemberReference, type ScimResource } from './resource.js';
import { normalizeElements } from './value-normalizer.js';

/** The members of a group, separate from the group: RFC 7643 section 4.2. */

export const MEMBERS_DEFINITION: AttributeDefinition = GROUP_SCHEMA.attributes.find(
  ({ name }) => name === 'members',
)!;

/**
 * The members in a value: a list, one object, or an id as text. Each member occurs once.
 *
 * @throws ScimError 400 invalidValue when an element has no id.
 */
export function memberReferences(value: JsonValue): MemberReference[] {
  if (value === null) {
    return [];
  }
  return normalizeElements(MEMBERS_DEFINITION, value, 'members').map(memberReference);
}

/** Splits a canonical group into the rest of the resource and its members, if it says who they are. */
export function takeMembers(group: ScimResource): {
  resource: ScimResource;
  members: MemberReference[] | undefined;
} {
  const { members, ...resource } = group;
  return {
    resource: resource,
    members: members === undefined ? undefined : memberReferences(members),
  };
}

function memberReference(element: JsonValue): MemberReference {
  const { value, type, $ref } = isObject(element) ? element : {};
  const id = typeof value === 'string' && value !== '' ? value : idOfReference($ref);
  if (id === undefined) {
    throw invalidValue('members.value must be the id of a member.');
  }
  return {
    value: id,
    ...(typeof type === 'string' ? { type } : {}),
    ...(typeof $ref === 'string' ? { $ref } : {}),
  };
}

/** The id at the end of a reference; some clients send only `$ref`. */
function idOfReference(reference: JsonValue | undefined): string | undefined {
  const last = typeof reference === 'string' ? reference.split('/').pop() : undefined;
  return last === '' ? undefined : last;
}
