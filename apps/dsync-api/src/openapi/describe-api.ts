/** What Nest cannot see: how callers prove who they are, and the SCIM routes, which are native. */
import { type OpenAPIObject } from '@nestjs/swagger';

type PathItem = OpenAPIObject['paths'][string];
type Operation = NonNullable<PathItem['get']>;
type Parameters = NonNullable<Operation['parameters']>;
type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

const BASE = '/api/scim/v2.0/{directoryId}';

const RESOURCE = { type: 'object', additionalProperties: true } as const;

const ERROR = {
  type: 'object',
  required: ['schemas', 'status'],
  properties: {
    schemas: { type: 'array', items: { type: 'string' } },
    status: { type: 'string', example: '409' },
    scimType: { type: 'string', example: 'uniqueness' },
    detail: { type: 'string' },
  },
};

const DIRECTORY_ID = path('directoryId', { type: 'string', format: 'uuid' });
const ID = path('id', { type: 'string' });
const SELECTION = [query('attributes', 'string'), query('excludedAttributes', 'string')];
const PAGE = [
  query('filter', 'string'),
  query('sortBy', 'string'),
  query('sortOrder', 'string'),
  query('startIndex', 'integer'),
  query('count', 'integer'),
  query('cursor', 'string'),
];
const IF_MATCH = { name: 'If-Match', in: 'header', schema: { type: 'string' } } as const;

/** Completes the description that Nest made of the management API. */
export function describeApi(document: OpenAPIObject): OpenAPIObject {
  return {
    ...document,
    paths: { ...withoutAliases(document.paths), ...scimPaths() },
    components: {
      ...document.components,
      schemas: { ...document.components?.schemas, ScimError: ERROR },
      securitySchemes: {
        'api-key': {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: '`Api-Key <key>`, or `Bearer <key>`',
        },
        bearer: { type: 'http', scheme: 'bearer' },
        'scim-secret': {
          type: 'http',
          scheme: 'bearer',
          description: 'The `scim.secret` of the directory.',
        },
      },
    },
  };
}

/** The second path of the management API is served, not described: a client needs one. */
function withoutAliases(paths: OpenAPIObject['paths']): OpenAPIObject['paths'] {
  const own = Object.entries(paths).filter(([url]) => !url.startsWith('/api/v1/directory-sync'));
  for (const [, routes] of own) {
    for (const route of Object.values(routes) as Operation[]) {
      route.operationId = route.operationId?.replace('[0]', '');
    }
  }
  return Object.fromEntries(own);
}

function scimPaths(): Record<string, PathItem> {
  const paths: Record<string, PathItem> = {};
  for (const resource of ['Users', 'Groups']) {
    paths[`${BASE}/${resource}`] = item(`SCIM ${resource}`, {
      get: { summary: `Query ${resource}`, parameters: [...PAGE, ...SELECTION], status: 200 },
      post: { summary: `Create one of ${resource}`, parameters: SELECTION, status: 201 },
    });
    paths[`${BASE}/${resource}/{id}`] = item(`SCIM ${resource}`, {
      get: { summary: 'Read', parameters: [ID, ...SELECTION], status: 200 },
      put: { summary: 'Replace', parameters: [ID, IF_MATCH, ...SELECTION], status: 200 },
      patch: { summary: 'Change', parameters: [ID, IF_MATCH, ...SELECTION], status: 200 },
      delete: { summary: 'Delete', parameters: [ID, IF_MATCH], status: 204 },
    });
    paths[`${BASE}/${resource}/.search`] = item(`SCIM ${resource}`, {
      post: { summary: `Query ${resource} by POST`, parameters: [], status: 200 },
    });
  }
  paths[`${BASE}/.search`] = item('SCIM', {
    post: { summary: 'Query users and groups', parameters: [], status: 200 },
  });
  paths[`${BASE}/Bulk`] = item('SCIM', {
    post: { summary: 'Up to 1000 operations, 1 MiB', parameters: [], status: 200 },
  });
  for (const name of ['ServiceProviderConfig', 'ResourceTypes', 'Schemas']) {
    paths[`${BASE}/${name}`] = item('SCIM discovery', {
      get: { summary: name, parameters: [], status: 200 },
    });
  }
  for (const name of ['ResourceTypes', 'Schemas']) {
    paths[`${BASE}/${name}/{id}`] = item('SCIM discovery', {
      get: { summary: `One of ${name}`, parameters: [ID], status: 200 },
    });
  }
  return paths;
}

interface Route {
  summary: string;
  parameters: Parameters;
  status: number;
}

function item(tag: string, routes: Partial<Record<Method, Route>>): PathItem {
  const operations = Object.entries(routes).map(([method, route]) => [
    method,
    operation(tag, method as Method, route),
  ]);
  return Object.fromEntries(operations) as PathItem;
}

function operation(tag: string, method: Method, { summary, parameters, status }: Route): Operation {
  const hasBody = method === 'post' || method === 'put' || method === 'patch';
  return {
    tags: [tag],
    summary,
    security: [{ 'scim-secret': [] }],
    parameters: [DIRECTORY_ID, ...parameters],
    ...(hasBody ? { requestBody: { required: true, content: scimContent(RESOURCE) } } : {}),
    responses: {
      [status]:
        status === 204
          ? { description: 'Done.' }
          : { description: 'Done.', content: scimContent(RESOURCE) },
      default: {
        description: 'RFC 7644 section 3.12',
        content: scimContent({ $ref: '#/components/schemas/ScimError' }),
      },
    },
  };
}

function scimContent(schema: object) {
  return { 'application/scim+json': { schema } };
}

function path(name: string, schema: object) {
  return { name, in: 'path' as const, required: true, schema };
}

function query(name: string, type: string) {
  return { name, in: 'query' as const, schema: { type } };
}
