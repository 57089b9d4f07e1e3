import { attribute, type AttributeDefinition, type SchemaDefinition } from './attribute.js';

/** The schemas of the discovery documents themselves: RFC 7643 sections 5 to 7 and 8.7.2. */

export const SERVICE_PROVIDER_CONFIG_SCHEMA_URN =
  'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig';
export const RESOURCE_TYPE_SCHEMA_URN = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType';
export const SCHEMA_SCHEMA_URN = 'urn:ietf:params:scim:schemas:core:2.0:Schema';

type Rest = Partial<Omit<AttributeDefinition, 'name' | 'type' | 'description'>>;

function readOnly(
  name: string,
  type: AttributeDefinition['type'],
  description: string,
  rest: Rest = {},
): AttributeDefinition {
  return attribute(name, type, description, { mutability: 'readOnly', ...rest });
}

const REQUIRED = { required: true } as const;

function feature(name: string, what: string, more: AttributeDefinition[] = []) {
  return readOnly(name, 'complex', `Settings of ${what}.`, {
    ...REQUIRED,
    subAttributes: [
      readOnly('supported', 'boolean', `Whether ${what} is supported.`, REQUIRED),
      ...more,
    ],
  });
}

export const SERVICE_PROVIDER_CONFIG_SCHEMA: SchemaDefinition = {
  id: SERVICE_PROVIDER_CONFIG_SCHEMA_URN,
  name: 'ServiceProviderConfig',
  description: 'Features that the service provider supports',
  attributes: [
    readOnly('documentationUri', 'reference', 'Where people find help.', {
      referenceTypes: ['external'],
    }),
    feature('patch', 'PATCH'),
    feature('bulk', 'bulk requests', [
      readOnly('maxOperations', 'integer', 'Most operations in one request.', REQUIRED),
      readOnly('maxPayloadSize', 'integer', 'Largest request body in bytes.', REQUIRED),
    ]),
    feature('filter', 'filtering', [
      readOnly('maxResults', 'integer', 'Most resources in one answer.', REQUIRED),
    ]),
    feature('changePassword', 'changing a password'),
    feature('sort', 'sorting'),
    feature('etag', 'entity tags'),
    readOnly('pagination', 'complex', 'Settings of paging (RFC 9865).', {
      subAttributes: [
        readOnly('cursor', 'boolean', 'Whether paging by cursor is supported.', REQUIRED),
        readOnly('index', 'boolean', 'Whether paging by index is supported.', REQUIRED),
        readOnly('defaultPaginationMethod', 'string', 'The method used when none is asked for.', {
          canonicalValues: ['cursor', 'index'],
        }),
        readOnly('defaultPageSize', 'integer', 'Resources in a page when count is absent.'),
        readOnly('maxPageSize', 'integer', 'Most resources in a page.'),
        readOnly('cursorTimeout', 'integer', 'Seconds for which a cursor is valid.'),
      ],
    }),
    readOnly('authenticationSchemes', 'complex', 'How clients authenticate.', {
      ...REQUIRED,
      multiValued: true,
      subAttributes: [
        readOnly('type', 'string', 'The kind of scheme.', {
          ...REQUIRED,
          canonicalValues: ['oauth', 'oauth2', 'oauthbearertoken', 'httpbasic', 'httpdigest'],
        }),
        readOnly('name', 'string', 'The usual name of the scheme.', REQUIRED),
        readOnly('description', 'string', 'What the scheme is.', REQUIRED),
        readOnly('specUri', 'reference', 'The specification.', { referenceTypes: ['external'] }),
        readOnly('documentationUri', 'reference', 'How to use it here.', {
          referenceTypes: ['external'],
        }),
        readOnly('primary', 'boolean', 'Whether it is the preferred scheme.'),
      ],
    }),
  ],
};

export const RESOURCE_TYPE_SCHEMA: SchemaDefinition = {
  id: RESOURCE_TYPE_SCHEMA_URN,
  name: 'ResourceType',
  description: 'A kind of resource and where it lives',
  attributes: [
    readOnly('id', 'string', 'The id of the resource type.', { caseExact: true }),
    readOnly('name', 'string', 'The name of the resource type.', REQUIRED),
    readOnly('description', 'string', 'What the resource type is.'),
    readOnly('endpoint', 'reference', 'The path of its endpoint.', {
      ...REQUIRED,
      referenceTypes: ['uri'],
    }),
    readOnly('schema', 'reference', 'The URN of its base schema.', {
      ...REQUIRED,
      referenceTypes: ['uri'],
    }),
    readOnly('schemaExtensions', 'complex', 'The extensions of its base schema.', {
      multiValued: true,
      subAttributes: [
        readOnly('schema', 'reference', 'The URN of the extension.', {
          ...REQUIRED,
          referenceTypes: ['uri'],
        }),
        readOnly('required', 'boolean', 'Whether every resource must have it.', REQUIRED),
      ],
    }),
  ],
};

function characteristics(ofWhat: string): AttributeDefinition[] {
  return [
    readOnly('name', 'string', `The name of the ${ofWhat}.`, { ...REQUIRED, caseExact: true }),
    readOnly('type', 'string', `The data type of the ${ofWhat}.`, {
      ...REQUIRED,
      canonicalValues: [
        'string',
        'complex',
        'boolean',
        'decimal',
        'integer',
        'dateTime',
        'reference',
        'binary',
      ],
    }),
    readOnly('multiValued', 'boolean', 'Whether it may have several values.', REQUIRED),
    readOnly('description', 'string', `What the ${ofWhat} is.`),
    readOnly('required', 'boolean', 'Whether it must have a value.'),
    readOnly('canonicalValues', 'string', 'Values that are suggested.', {
      multiValued: true,
      caseExact: true,
    }),
    readOnly('caseExact', 'boolean', 'Whether letter case matters in comparisons.'),
    readOnly('mutability', 'string', 'Who may write it, and when.', {
      caseExact: true,
      canonicalValues: ['readOnly', 'readWrite', 'immutable', 'writeOnly'],
    }),
    readOnly('returned', 'string', 'When it is in an answer.', {
      caseExact: true,
      canonicalValues: ['always', 'never', 'default', 'request'],
    }),
    readOnly('uniqueness', 'string', 'Among which resources a value is unique.', {
      caseExact: true,
      canonicalValues: ['none', 'server', 'global'],
    }),
    readOnly('referenceTypes', 'string', 'What a reference may point at.', {
      multiValued: true,
      caseExact: true,
    }),
  ];
}

export const SCHEMA_SCHEMA: SchemaDefinition = {
  id: SCHEMA_SCHEMA_URN,
  name: 'Schema',
  description: 'The attributes of a kind of resource',
  attributes: [
    readOnly('id', 'string', 'The URN of the schema.', { ...REQUIRED, caseExact: true }),
    readOnly('name', 'string', 'The name of the schema.'),
    readOnly('description', 'string', 'What the schema describes.'),
    readOnly('attributes', 'complex', 'The attributes of the schema.', {
      ...REQUIRED,
      multiValued: true,
      subAttributes: [
        ...characteristics('attribute'),
        readOnly('subAttributes', 'complex', 'The sub-attributes of a complex attribute.', {
          multiValued: true,
          subAttributes: characteristics('sub-attribute'),
        }),
      ],
    }),
  ],
};
