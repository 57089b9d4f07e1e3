import { attribute, type SchemaDefinition } from './attribute.js';

/** The enterprise extension of User: RFC 7643 sections 4.3 and 8.7.1. */

export const ENTERPRISE_USER_SCHEMA_URN =
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

export const ENTERPRISE_USER_SCHEMA: SchemaDefinition = {
  id: ENTERPRISE_USER_SCHEMA_URN,
  name: 'EnterpriseUser',
  description: 'Enterprise user',
  attributes: [
    attribute('employeeNumber', 'string', 'The number the organization gave the person.'),
    attribute('costCenter', 'string', 'The name of the cost center.'),
    attribute('organization', 'string', 'The name of the organization.'),
    attribute('division', 'string', 'The name of the division.'),
    attribute('department', 'string', 'The name of the department.'),
    attribute('manager', 'complex', 'The person’s manager.', {
      subAttributes: [
        attribute('value', 'string', 'The id of the manager.', { caseExact: true }),
        attribute('$ref', 'reference', 'The URI of the manager.', { referenceTypes: ['User'] }),
        attribute('displayName', 'string', 'The name of the manager.', { mutability: 'readOnly' }),
      ],
    }),
  ],
};
