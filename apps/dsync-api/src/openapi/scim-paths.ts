/** The SCIM routes in the OpenAPI document. They are native, so Nest does not know them. */
import { contentOf, parameter } from '@gatehouse/service-kit';
import { type OpenAPIObject } from '@nestjs/swagger';

type PathItem = OpenAPIObject['paths'][string];
export type Operation = NonNullable<PathItem['get']>;
type Parameters = readonly object[];
type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

const SCIM_JSON = 'application/scim+json';
const TEXT = { type: 'string' };
const BASE = '/api/scim/v2.0/{directoryId}';

const DIRECTORY_ID = parameter('path', 'directoryId', { type: 'string', format: 'uuid' });
const ID = parameter('path', 'id', { type: 'string' });
const SELECTION = [
  parameter('query', 'attributes', { type: 'string' }),
  parameter('query', 'excludedAttributes', { type: 'string' }),
];
const PAGE = [
  parameter('query', 'filter', { type: 'string' }),
  parameter('query', 'sortBy', { type: 'string' }),
  parameter('query', 'sortOrder', { type: 'string' }),
  parameter('query', 'startIndex', { type: 'integer' }),
  parameter('query', 'count', { type: 'integer' }),
  parameter('query', 'cursor', { type: 'string' }),
];
const IF_MATCH = parameter('header', 'If-Match', TEXT);
const IF_NONE_MATCH = parameter('header', 'If-None-Match', TEXT);
const PREFER = parameter('header', 'Prefer', TEXT, {
  description: '`return=minimal`: 204 without the resource.',
});

const UNCHANGED = { 304: 'The version that If-None-Match names.' };
const NO_ANSWER = { 204: 'Done, and as asked, or because the group is large, without the group.' };

/** Every SCIM path with its operations. */
export function scimPaths(): Record<string, PathItem> {
  const paths: Record<string, PathItem> = {};
  for (const [name, endpoint] of [
    ['User', 'Users'],
    ['Group', 'Groups'],
  ] as const) {
    const [one, body, list] = [`Scim${name}`, `Scim${name}Body`, `Scim${name}List`];
    paths[`${BASE}/${endpoint}`] = item(`SCIM ${endpoint}`, {
      get: { summary: `Query ${endpoint}`, parameters: [...PAGE, ...SELECTION], answer: list },
      post: {
        summary: `Create one of ${endpoint}`,
        parameters: SELECTION,
        body,
        status: 201,
        answer: one,
      },
    });
    paths[`${BASE}/${endpoint}/{id}`] = item(`SCIM ${endpoint}`, {
      get: {
        summary: 'Read',
        parameters: [ID, IF_NONE_MATCH, ...SELECTION],
        answer: one,
        empty: UNCHANGED,
      },
      put: { summary: 'Replace', parameters: [ID, IF_MATCH, ...SELECTION], body, answer: one },
      patch: {
        summary: 'Change',
        parameters: [ID, IF_MATCH, PREFER, ...SELECTION],
        body: 'ScimPatch',
        answer: one,
        empty: NO_ANSWER,
      },
      delete: { summary: 'Delete', parameters: [ID, IF_MATCH], empty: { 204: 'Done.' } },
    });
    paths[`${BASE}/${endpoint}/.search`] = item(`SCIM ${endpoint}`, {
      post: { summary: `Query ${endpoint} by POST`, body: 'ScimSearch', answer: list },
    });
  }
  paths[BASE] = item('SCIM', {
    get: {
      summary: 'Query users, then groups',
      parameters: [...PAGE, ...SELECTION],
      answer: 'ScimResourceList',
    },
  });
  paths[`${BASE}/.search`] = item('SCIM', {
    post: {
      summary: 'Query users, then groups, by POST',
      body: 'ScimSearch',
      answer: 'ScimResourceList',
    },
  });
  paths[`${BASE}/Bulk`] = item('SCIM', {
    post: { summary: 'Up to 1000 operations, 1 MiB', body: 'ScimBulk', answer: 'ScimBulkAnswer' },
  });
  return { ...paths, ...discoveryPaths() };
}

function discoveryPaths(): Record<string, PathItem> {
  const paths: Record<string, PathItem> = {
    [`${BASE}/ServiceProviderConfig`]: item('SCIM discovery', {
      get: { summary: 'What is supported, and the limits', answer: 'ScimProviderConfig' },
    }),
  };
  for (const [name, answer] of [
    ['ResourceTypes', 'ScimResourceType'],
    ['Schemas', 'ScimSchema'],
  ] as const) {
    paths[`${BASE}/${name}`] = item('SCIM discovery', {
      get: { summary: name, answer: `${answer}List` },
    });
    paths[`${BASE}/${name}/{id}`] = item('SCIM discovery', {
      get: { summary: `One of ${name}`, parameters: [ID], answer },
    });
  }
  return paths;
}

interface Route {
  summary: string;
  parameters?: Parameters;
  /** The schema of the request body. */
  body?: string;
  /** The status of a response with a body, 200 by default. */
  status?: number;
  /** The schema of that body. */
  answer?: string;
  /** Descriptions of responses without a body, by status. */
  empty?: Record<number, string>;
}

function item(tag: string, routes: Partial<Record<Method, Route>>): PathItem {
  const operations = Object.entries(routes).map(([method, route]) => [
    method,
    operation(tag, route),
  ]);
  return Object.fromEntries(operations) as PathItem;
}

function operation(tag: string, route: Route): Operation {
  const { summary, parameters = [], body, status = 200, answer, empty = {} } = route;
  return {
    tags: [tag],
    summary,
    security: [{ 'scim-secret': [] }],
    parameters: [DIRECTORY_ID, ...parameters],
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: contentOf(body, SCIM_JSON) } }),
    responses: {
      ...(answer === undefined
        ? {}
        : { [status]: { description: 'Done.', content: contentOf(answer, SCIM_JSON) } }),
      ...Object.fromEntries(
        Object.entries(empty).map(([code, description]) => [code, { description }]),
      ),
      default: { description: 'RFC 7644 section 3.12', content: contentOf('ScimError', SCIM_JSON) },
    },
  } as unknown as Operation;
}
