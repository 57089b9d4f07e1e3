import { attribute, type SchemaDefinition } from './attribute.js';

/** The Group schema: RFC 7643 sections 4.2 and 8.7.1, erratum 5368 applied. */

const GROUP_SCHEMA_URN = 'urn:ietf:params:scim:schemas:core:2.0:Group';

export const GROUP_SCHEMA: SchemaDefinition = {
  id: GROUP_SCHEMA_URN,
  name: 'Group',
  description: 'Group',
  attributes: [
    attribute('displayName', 'string', 'The name of the group.', { required: true }),
    attribute('members', 'complex', 'The members of the group.', {
      multiValued: true,
      subAttributes: [
        attribute('value', 'string', 'The id of the member.', {
          caseExact: true,
          mutability: 'immutable',
        }),
        attribute('$ref', 'reference', 'The URI of the member.', {
          mutability: 'immutable',
          referenceTypes: ['User', 'Group'],
        }),
        attribute('type', 'string', 'Whether the member is a user or a group.', {
          mutability: 'immutable',
          canonicalValues: ['User', 'Group'],
        }),
        attribute('display', 'string', 'The name of the member.', { mutability: 'readOnly' }),
      ],
    }),
  ],
};
