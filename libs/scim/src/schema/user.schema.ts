import { attribute, type AttributeDefinition, type SchemaDefinition } from './attribute.js';
import { plural } from './multi-valued.js';

/** The User schema: RFC 7643 sections 4.1 and 8.7.1, errata 6004 applied. */

const USER_SCHEMA_URN = 'urn:ietf:params:scim:schemas:core:2.0:User';

const NAME = attribute('name', 'complex', 'The parts of the person’s name.', {
  subAttributes: [
    attribute('formatted', 'string', 'The whole name as it is displayed.'),
    attribute('familyName', 'string', 'The family name, or last name.'),
    attribute('givenName', 'string', 'The given name, or first name.'),
    attribute('middleName', 'string', 'The middle names.'),
    attribute('honorificPrefix', 'string', 'Titles written before the name, such as "Dr".'),
    attribute('honorificSuffix', 'string', 'What is written after the name, such as "III".'),
  ],
});

const ADDRESSES = attribute('addresses', 'complex', 'Postal addresses.', {
  multiValued: true,
  subAttributes: [
    attribute('formatted', 'string', 'The whole address as it is displayed or printed.'),
    attribute('streetAddress', 'string', 'Street, house number and what else is above the town.'),
    attribute('locality', 'string', 'The city or town.'),
    attribute('region', 'string', 'The state or region.'),
    attribute('postalCode', 'string', 'The postal code.'),
    attribute('country', 'string', 'The country, as an ISO 3166-1 alpha-2 code.'),
    attribute('type', 'string', 'What the address is used for.', {
      canonicalValues: ['work', 'home', 'other'],
    }),
    attribute('primary', 'boolean', 'True for the preferred address; at most one is.'),
  ],
});

const GROUPS = attribute('groups', 'complex', 'The groups the user belongs to.', {
  multiValued: true,
  mutability: 'readOnly',
  subAttributes: [
    attribute('value', 'string', 'The id of the group.', {
      caseExact: true,
      mutability: 'readOnly',
    }),
    attribute('$ref', 'reference', 'The URI of the group.', {
      mutability: 'readOnly',
      referenceTypes: ['User', 'Group'],
    }),
    attribute('display', 'string', 'The name of the group.', { mutability: 'readOnly' }),
    attribute('type', 'string', 'How the user is a member: always directly.', {
      mutability: 'readOnly',
      canonicalValues: ['direct'],
    }),
  ],
});

const ATTRIBUTES: AttributeDefinition[] = [
  attribute('userName', 'string', 'The name by which the user is known to the service.', {
    required: true,
    uniqueness: 'server',
  }),
  NAME,
  attribute('displayName', 'string', 'The name to show for the user.'),
  attribute('nickName', 'string', 'The casual name of the user.'),
  attribute('profileUrl', 'reference', 'The address of the user’s profile page.', {
    referenceTypes: ['external'],
  }),
  attribute('title', 'string', 'The job title.'),
  attribute('userType', 'string', 'How the user relates to the organization.'),
  attribute('preferredLanguage', 'string', 'Languages the user prefers, as in Accept-Language.'),
  attribute('locale', 'string', 'The locale for dates, numbers and currency.'),
  attribute('timezone', 'string', 'The time zone, as an IANA name.'),
  attribute('active', 'boolean', 'False while the account is suspended.'),
  attribute('password', 'string', 'Accepted and discarded; never stored, never returned.', {
    caseExact: true,
    mutability: 'writeOnly',
    returned: 'never',
  }),
  plural('emails', 'e-mail address', 'E-mail addresses.', {
    canonicalTypes: ['work', 'home', 'other'],
  }),
  plural('phoneNumbers', 'phone number', 'Phone numbers.', {
    canonicalTypes: ['work', 'home', 'mobile', 'fax', 'pager', 'other'],
  }),
  plural('ims', 'address', 'Instant messaging addresses.', {
    canonicalTypes: ['aim', 'gtalk', 'icq', 'xmpp', 'msn', 'skype', 'qq', 'yahoo'],
  }),
  plural('photos', 'picture', 'URIs of pictures of the user.', {
    canonicalTypes: ['photo', 'thumbnail'],
    valueType: 'reference',
    referenceTypes: ['external'],
  }),
  ADDRESSES,
  GROUPS,
  plural('entitlements', 'entitlement', 'What the user is entitled to.'),
  plural('roles', 'role', 'The roles of the user.'),
  plural('x509Certificates', 'certificate', 'Certificates of the user, DER in Base64.', {
    valueType: 'binary',
  }),
];

export const USER_SCHEMA: SchemaDefinition = {
  id: USER_SCHEMA_URN,
  name: 'User',
  description: 'User Account',
  attributes: ATTRIBUTES,
};
