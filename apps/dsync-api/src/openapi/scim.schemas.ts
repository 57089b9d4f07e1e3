/**
 * SCIM requests and responses for the OpenAPI document; libs/scim validates input. Resources may
 * have further attributes (RFC 7643 section 3.3), and responses to `attributes` have fewer.
 */
import {
  arrayOf,
  flag as boolean,
  integer,
  type Schema,
  schemaRef,
  type Schemas,
  object as closedObject,
  text as string,
  time,
} from '@gatehouse/nest-kit/openapi';

const text = string();
const texts = arrayOf(text);
const flag = boolean();
const count = integer();

function object(properties: Schemas, required?: readonly string[]): Schema {
  return { ...closedObject(properties, required), additionalProperties: true };
}

const supported = object({ supported: flag }, ['supported']);

const user = {
  userName: text,
  externalId: text,
  displayName: text,
  active: flag,
  name: object({ formatted: text, givenName: text, familyName: text }),
  emails: arrayOf(object({ value: text, type: text, primary: flag })),
};

const group = { displayName: text, externalId: text };
/** Without `$ref`: tools would mistake a property of that name for a reference. */
const member = { value: text, type: text, display: text };

const answered = { schemas: texts, id: text, meta: schemaRef('ScimMeta') };

function listOf(name: string): Schema {
  return object(
    {
      schemas: texts,
      totalResults: {
        ...count,
        description: 'With a cursor, the number when the first page was read.',
      },
      startIndex: count,
      itemsPerPage: count,
      Resources: arrayOf(schemaRef(name)),
      nextCursor: { ...text, description: 'Absent on the last page.' },
    },
    ['schemas', 'itemsPerPage', 'Resources'],
  );
}

/** The component schemas of SCIM, by name. */
export const SCIM_SCHEMAS: Schemas = {
  ScimError: object(
    {
      schemas: texts,
      status: { ...text, example: '409' },
      scimType: { ...text, example: 'uniqueness' },
      detail: text,
    },
    ['schemas', 'status'],
  ),
  ScimMeta: object({
    resourceType: text,
    created: time(),
    lastModified: time(),
    location: { ...text, format: 'uri' },
    version: { ...text, example: 'W/"1"' },
  }),
  ScimUser: object({ ...answered, ...user, groups: arrayOf(object(member, ['value'])) }, [
    'schemas',
    'id',
  ]),
  ScimUserBody: object({ schemas: texts, ...user }, ['userName']),
  ScimGroup: object({ ...answered, ...group, members: arrayOf(object(member, ['value'])) }, [
    'schemas',
    'id',
  ]),
  ScimGroupBody: object({ schemas: texts, ...group, members: arrayOf(object({ value: text })) }, [
    'displayName',
  ]),
  ScimResource: object(answered, ['schemas', 'id']),
  ScimUserList: listOf('ScimUser'),
  ScimGroupList: listOf('ScimGroup'),
  ScimResourceList: listOf('ScimResource'),
  ScimPatch: object(
    {
      schemas: texts,
      Operations: arrayOf(
        object({ op: { ...text, example: 'replace' }, path: text, value: {} }, ['op']),
      ),
    },
    ['Operations'],
  ),
  ScimSearch: object({
    schemas: texts,
    attributes: texts,
    excludedAttributes: texts,
    filter: text,
    sortBy: text,
    sortOrder: { ...text, enum: ['ascending', 'descending'] },
    startIndex: count,
    count,
    cursor: text,
  }),
  ScimBulk: object(
    {
      schemas: texts,
      failOnErrors: count,
      Operations: arrayOf(
        object({ method: text, path: text, bulkId: text, version: text, data: object({}) }, [
          'method',
          'path',
        ]),
      ),
    },
    ['Operations'],
  ),
  ScimBulkAnswer: object(
    {
      schemas: texts,
      Operations: arrayOf(
        object(
          {
            method: text,
            bulkId: text,
            version: text,
            location: text,
            status: { ...text, example: '201' },
            response: schemaRef('ScimError'),
          },
          ['method', 'status'],
        ),
      ),
    },
    ['schemas', 'Operations'],
  ),
  ScimProviderConfig: object(
    {
      schemas: texts,
      patch: supported,
      bulk: object({ supported: flag, maxOperations: count, maxPayloadSize: count }),
      filter: object({ supported: flag, maxResults: count }),
      changePassword: supported,
      sort: supported,
      etag: supported,
      pagination: object({ cursor: flag, index: flag, defaultPageSize: count, maxPageSize: count }),
      authenticationSchemes: arrayOf(object({ type: text, name: text, description: text })),
      meta: schemaRef('ScimMeta'),
    },
    ['schemas', 'patch', 'bulk', 'filter', 'changePassword', 'sort', 'etag', 'meta'],
  ),
  ScimResourceType: object({ schemas: texts, id: text, name: text, endpoint: text, schema: text }, [
    'schemas',
    'name',
    'endpoint',
    'schema',
  ]),
  ScimSchema: object({ id: text, name: text, description: text, attributes: arrayOf(object({})) }, [
    'id',
    'attributes',
  ]),
  ScimResourceTypeList: listOf('ScimResourceType'),
  ScimSchemaList: listOf('ScimSchema'),
};
