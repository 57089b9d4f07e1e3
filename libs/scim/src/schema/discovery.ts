import { type JsonObject } from '../json/json.js';
import { type AttributeDefinition, type SchemaDefinition } from './attribute.js';
import {
  RESOURCE_TYPE_SCHEMA,
  RESOURCE_TYPE_SCHEMA_URN,
  SCHEMA_SCHEMA,
  SCHEMA_SCHEMA_URN,
  SERVICE_PROVIDER_CONFIG_SCHEMA,
  SERVICE_PROVIDER_CONFIG_SCHEMA_URN,
} from './discovery.schemas.js';
import { ENTERPRISE_USER_SCHEMA } from './enterprise-user.schema.js';
import { GROUP_SCHEMA } from './group.schema.js';
import { resourceTypes, type ResourceType } from './resource-type.js';
import { USER_SCHEMA } from './user.schema.js';

/** Discovery documents: RFC 7644 section 4, RFC 7643 sections 5 to 7, RFC 9865 section 4. */

export interface ServiceProviderLimits {
  /** Base URL of the directory's SCIM endpoint, without a trailing slash. */
  baseUrl: string;
  bulkOperationsMax: number;
  bulkBytesMax: number;
  filterResultsMax: number;
  pageSizeDefault: number;
  pageSizeMax: number;
  cursorTimeoutSeconds?: number;
  documentationUri?: string;
}

const SCHEMAS: readonly SchemaDefinition[] = [
  USER_SCHEMA,
  GROUP_SCHEMA,
  ENTERPRISE_USER_SCHEMA,
  SERVICE_PROVIDER_CONFIG_SCHEMA,
  RESOURCE_TYPE_SCHEMA,
  SCHEMA_SCHEMA,
];

/** The ServiceProviderConfig document. Everything is supported but changing passwords. */
export function serviceProviderConfig(limits: ServiceProviderLimits): JsonObject {
  const { cursorTimeoutSeconds, documentationUri } = limits;
  return {
    schemas: [SERVICE_PROVIDER_CONFIG_SCHEMA_URN],
    ...(documentationUri === undefined ? {} : { documentationUri }),
    patch: { supported: true },
    bulk: {
      supported: true,
      maxOperations: limits.bulkOperationsMax,
      maxPayloadSize: limits.bulkBytesMax,
    },
    filter: { supported: true, maxResults: limits.filterResultsMax },
    changePassword: { supported: false },
    sort: { supported: true },
    etag: { supported: true },
    pagination: {
      cursor: true,
      index: true,
      defaultPaginationMethod: 'index',
      defaultPageSize: limits.pageSizeDefault,
      maxPageSize: limits.pageSizeMax,
      ...(cursorTimeoutSeconds === undefined ? {} : { cursorTimeout: cursorTimeoutSeconds }),
    },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'OAuth Bearer Token',
        description: 'The secret of the directory, sent as a bearer token.',
        specUri: 'https://www.rfc-editor.org/rfc/rfc6750',
        primary: true,
      },
    ],
    meta: {
      resourceType: 'ServiceProviderConfig',
      location: `${limits.baseUrl}/ServiceProviderConfig`,
    },
  };
}

/** Every ResourceType document. */
export function resourceTypeDocuments(baseUrl: string): JsonObject[] {
  return resourceTypes.map((type) => describeResourceType(type, baseUrl));
}

/** One ResourceType document, or undefined when the id is unknown. */
export function resourceTypeDocument(baseUrl: string, id: string): JsonObject | undefined {
  const type = resourceTypes.find(({ name }) => name === id);
  return type && describeResourceType(type, baseUrl);
}

/** Every Schema document, those of the discovery documents included. */
export function schemaDocuments(baseUrl: string): JsonObject[] {
  return SCHEMAS.map((schema) => describeSchema(schema, baseUrl));
}

/** One Schema document by its URN in any letter case, or undefined. */
export function schemaDocument(baseUrl: string, urn: string): JsonObject | undefined {
  const key = urn.toLowerCase();
  const schema = SCHEMAS.find(({ id }) => id.toLowerCase() === key);
  return schema && describeSchema(schema, baseUrl);
}

function describeResourceType(type: ResourceType, baseUrl: string): JsonObject {
  return {
    schemas: [RESOURCE_TYPE_SCHEMA_URN],
    id: type.name,
    name: type.name,
    description: type.description,
    endpoint: type.endpoint,
    schema: type.schema.id,
    schemaExtensions: type.extensions.map(({ id }) => ({ schema: id, required: false })),
    meta: { resourceType: 'ResourceType', location: `${baseUrl}/ResourceTypes/${type.name}` },
  };
}

function describeSchema(schema: SchemaDefinition, baseUrl: string): JsonObject {
  return {
    schemas: [SCHEMA_SCHEMA_URN],
    id: schema.id,
    name: schema.name,
    description: schema.description,
    attributes: schema.attributes.map(describeAttribute),
    meta: { resourceType: 'Schema', location: `${baseUrl}/Schemas/${schema.id}` },
  };
}

function describeAttribute(definition: AttributeDefinition): JsonObject {
  const { subAttributes, canonicalValues, referenceTypes, ...characteristics } = definition;
  return {
    ...characteristics,
    ...(canonicalValues === undefined ? {} : { canonicalValues: [...canonicalValues] }),
    ...(referenceTypes === undefined ? {} : { referenceTypes: [...referenceTypes] }),
    ...(subAttributes === undefined ? {} : { subAttributes: subAttributes.map(describeAttribute) }),
  };
}
