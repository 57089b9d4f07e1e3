import { attribute, type AttributeDefinition, type SchemaDefinition } from './attribute.js';

/** The schemas of the discovery documents themselves: RFC 7643 sections 5 to 7 and 8.7.2. */

export const serviceProviderConfigSchemaUrn =
  'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig';
export const resourceTypeSchemaUrn = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType';
export const schemaSchemaUrn = 'urn:ietf:params:scim:schemas:core:2.0:Schema';

type Rest = Partial<Omit<AttributeDefinition, 'name' | 'type' | 'description'>>;

function readOnly(
  name: string,
  type: AttributeDefinition['type'],
  description: string,
  rest: Rest = {},
): AttributeDefinition {
  return attribute(name, type, description, { mutability: 'readOnly', ...rest });
}

const required = { required: true } as const;

function feature(name: string, what: string, more: AttributeDefinition[] = []) {
  return readOnly(name, 'complex', `Settings of ${what}.`, {
    ...required,
    subAttributes: [
      readOnly('supported', 'boolean', `Whether ${what} is supported.`, required),
      ...more,
    ],
  });
}

export const serviceProviderConfigSchema: SchemaDefinition = {
  id: serviceProviderConfigSchemaUrn,
  name: 'ServiceProviderConfig',
  description: 'What the service provider supports',
  attributes: [
    readOnly('documentationUri', 'reference', 'Where people find help.', {
      referenceTypes: ['external'],
    }),
    feature('patch', 'PATCH'),
    feature('bulk', 'bulk requests', [
      readOnly('maxOperations', 'integer', 'Most operations in one request.', required),
      readOnly('maxPayloadSize', 'integer', 'Largest request body in bytes.', required),
    ]),
    feature('filter', 'filtering', [
      readOnly('maxResults', 'integer', 'Most resources in one answer.', required),
    ]),
    feature('changePassword', 'changing a password'),
    feature('sort', 'sorting'),
    feature('etag', 'entity tags'),
    readOnly('pagination', 'complex', 'Settings of paging (RFC 9865).', {
      subAttributes: [
        readOnly('cursor', 'boolean', 'Whether paging by cursor is supported.', required),
        readOnly('index', 'boolean', 'Whether paging by index is supported.', required),
        readOnly('defaultPaginationMethod', 'string', 'The method used when none is asked for.', {
          canonicalValues: ['cursor', 'index'],
        }),
        readOnly('defaultPageSize', 'integer', 'Resources in a page when count is absent.'),
        readOnly('maxPageSize', 'integer', 'Most resources in a page.'),
        readOnly('cursorTimeout', 'integer', 'Seconds for which a cursor is valid.'),
      ],
    }),
    readOnly('authenticationSchemes', 'complex', 'How clients authenticate.', {
      ...required,
      multiValued: true,
      subAttributes: [
        readOnly('type', 'string', 'The kind of scheme.', {
          ...required,
          canonicalValues: ['oauth', 'oauth2', 'oauthbearertoken', 'httpbasic', 'httpdigest'],
        }),
        readOnly('name', 'string', 'The usual name of the scheme.', required),
        readOnly('description', 'string', 'What the scheme is.', required),
        readOnly('specUri', 'reference', 'The specification.', { referenceTypes: ['external'] }),
        readOnly('documentationUri', 'reference', 'How to use it here.', {
          referenceTypes: ['external'],
        }),
        readOnly('primary', 'boolean', 'Whether it is the preferred scheme.'),
      ],
    }),
  ],
};

export const resourceTypeSchema: SchemaDefinition = {
  id: resourceTypeSchemaUrn,
  name: 'ResourceType',
  description: 'A kind of resource and where it lives',
  attributes: [
    readOnly('id', 'string', 'The id of the resource type.', { caseExact: true }),
    readOnly('name', 'string', 'The name of the resource type.', required),
    readOnly('description', 'string', 'What the resource type is.'),
    readOnly('endpoint', 'reference', 'The path of its endpoint.', {
      ...required,
      referenceTypes: ['uri'],
    }),
    readOnly('schema', 'reference', 'The URN of its base schema.', {
      ...required,
      referenceTypes: ['uri'],
    }),
    readOnly('schemaExtensions', 'complex', 'The extensions of its base schema.', {
      multiValued: true,
      subAttributes: [
        readOnly('schema', 'reference', 'The URN of the extension.', {
          ...required,
          referenceTypes: ['uri'],
        }),
        readOnly('required', 'boolean', 'Whether every resource must have it.', required),
      ],
    }),
  ],
};

function characteristics(ofWhat: string): AttributeDefinition[] {
  return [
    readOnly('name', 'string', `The name of the ${ofWhat}.`, { ...required, caseExact: true }),
    readOnly('type', 'string', `The data type of the ${ofWhat}.`, {
      ...required,
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
    readOnly('multiValued', 'boolean', 'Whether it may have several values.', required),
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

export const schemaSchema: SchemaDefinition = {
  id: schemaSchemaUrn,
  name: 'Schema',
  description: 'The attributes of a kind of resource',
  attributes: [
    readOnly('id', 'string', 'The URN of the schema.', { ...required, caseExact: true }),
    readOnly('name', 'string', 'The name of the schema.'),
    readOnly('description', 'string', 'What the schema describes.'),
    readOnly('attributes', 'complex', 'The attributes of the schema.', {
      ...required,
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
