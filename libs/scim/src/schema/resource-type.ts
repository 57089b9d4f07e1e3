import { attribute, type AttributeDefinition, type SchemaDefinition } from './attribute.js';
import { ENTERPRISE_USER_SCHEMA } from './enterprise-user.schema.js';
import { GROUP_SCHEMA } from './group.schema.js';
import { USER_SCHEMA } from './user.schema.js';

/**
 * Resource types with an index of their attributes by lower-case name; the whole library looks
 * attributes up here (RFC 7643 sections 2.1, 3.1 and 6).
 */

/** The sub-attributes of an attribute by lower-cased name. */
export type AttributeIndex = ReadonlyMap<string, AttributeDefinition>;

export interface SchemaIndex {
  readonly schema: SchemaDefinition;
  /** The URN, lower-cased. */
  readonly key: string;
  readonly attributes: AttributeIndex;
}

export interface ResourceType {
  readonly name: 'User' | 'Group';
  readonly description: string;
  /** Path of the endpoint below the base URL. */
  readonly endpoint: string;
  readonly schema: SchemaDefinition;
  readonly extensions: readonly SchemaDefinition[];
  /** Attributes of the base schema with the common ones (id, externalId, meta, schemas). */
  readonly core: SchemaIndex;
  /** Extensions by lower-cased URN. */
  readonly extensionIndex: ReadonlyMap<string, SchemaIndex>;
}

/** Attributes that every resource has: RFC 7643 sections 3 and 3.1. */
const COMMON_ATTRIBUTES: readonly AttributeDefinition[] = [
  attribute('schemas', 'reference', 'The URNs of the schemas in use.', {
    multiValued: true,
    required: true,
    returned: 'always',
    caseExact: false,
    referenceTypes: ['uri'],
  }),
  attribute('id', 'string', 'The identifier that the service gave the resource.', {
    caseExact: true,
    mutability: 'readOnly',
    returned: 'always',
    uniqueness: 'server',
  }),
  attribute('externalId', 'string', 'The identifier that the client gave the resource.', {
    caseExact: true,
  }),
  attribute('meta', 'complex', 'Facts about the resource.', {
    mutability: 'readOnly',
    subAttributes: [
      attribute('resourceType', 'string', 'The name of the resource type.', {
        caseExact: true,
        mutability: 'readOnly',
      }),
      attribute('created', 'dateTime', 'When the resource was made.', { mutability: 'readOnly' }),
      attribute('lastModified', 'dateTime', 'When the resource last changed.', {
        mutability: 'readOnly',
      }),
      attribute('location', 'reference', 'The URI of the resource.', {
        mutability: 'readOnly',
        referenceTypes: ['uri'],
      }),
      attribute('version', 'string', 'The entity tag of the resource.', {
        caseExact: true,
        mutability: 'readOnly',
      }),
    ],
  }),
];

const SUB_ATTRIBUTE_INDEXES = new WeakMap<AttributeDefinition, AttributeIndex>();
const EMPTY_INDEX: AttributeIndex = new Map();

export const userResourceType: ResourceType = defineResourceType({
  name: 'User',
  description: 'User Account',
  endpoint: '/Users',
  schema: USER_SCHEMA,
  extensions: [ENTERPRISE_USER_SCHEMA],
});

export const groupResourceType: ResourceType = defineResourceType({
  name: 'Group',
  description: 'Group',
  endpoint: '/Groups',
  schema: GROUP_SCHEMA,
  extensions: [],
});

export const resourceTypes: readonly ResourceType[] = [userResourceType, groupResourceType];

/** The sub-attributes of a complex attribute by lower-cased name; empty for any other. */
export function subAttributesOf(definition: AttributeDefinition): AttributeIndex {
  if (definition.subAttributes === undefined) {
    return EMPTY_INDEX;
  }
  let index = SUB_ATTRIBUTE_INDEXES.get(definition);
  if (index === undefined) {
    index = indexOf(definition.subAttributes);
    SUB_ATTRIBUTE_INDEXES.set(definition, index);
  }
  return index;
}

/** Describes a resource type; the caller may add extensions. */
export function defineResourceType(
  description: Pick<ResourceType, 'name' | 'description' | 'endpoint' | 'schema' | 'extensions'>,
): ResourceType {
  const { schema, extensions } = description;
  return {
    ...description,
    core: {
      schema,
      key: schema.id.toLowerCase(),
      attributes: indexOf([...COMMON_ATTRIBUTES, ...schema.attributes]),
    },
    extensionIndex: new Map(
      extensions.map((extension) => {
        const key = extension.id.toLowerCase();
        return [key, { schema: extension, key, attributes: indexOf(extension.attributes) }];
      }),
    ),
  };
}

function indexOf(attributes: readonly AttributeDefinition[]): AttributeIndex {
  return new Map(attributes.map((definition) => [definition.name.toLowerCase(), definition]));
}
