/** The SCIM routes, which are native. */
import { type NativeOperation, parameter, text } from '@gatehouse/nest-kit/openapi';
import { type DsyncOperation } from './operation.js';

export const SCIM_JSON = 'application/scim+json';

const BASE = '/api/scim/v2.0/{directoryId}';
const DIRECTORY_ID = parameter('path', 'directoryId', text(undefined, { format: 'uuid' }));
const ID = parameter('path', 'id', text());
const SELECTION = [
  parameter('query', 'attributes', text()),
  parameter('query', 'excludedAttributes', text()),
];
/** Negative numbers are read as RFC 7644 section 3.4.2.4 has it. */
const WHOLE = { type: 'integer' };
const QUERY = [
  parameter('query', 'filter', text()),
  parameter('query', 'sortBy', text()),
  parameter('query', 'sortOrder', text()),
  parameter('query', 'startIndex', WHOLE),
  parameter('query', 'count', WHOLE),
  parameter('query', 'cursor', text()),
  ...SELECTION,
];
const IF_MATCH = parameter('header', 'If-Match', text());
const IF_NONE_MATCH = parameter('header', 'If-None-Match', text());
const PREFER = parameter('header', 'Prefer', text(), {
  description: '`return=minimal`: 204 without the resource.',
});

const RESOURCE = {
  ETag: 'The version of the resource.',
  Location: 'The URI of the resource.',
  'Content-Location': 'The same.',
};
const UNCHANGED = {
  304: { description: 'The version that If-None-Match names.', headers: RESOURCE },
};
const NO_ANSWER = {
  204: {
    description: 'Done, and as asked, or because the group is large, without the group.',
    headers: RESOURCE,
  },
};

type ScimOperation = NativeOperation<DsyncOperation>;
type Route = Omit<ScimOperation, 'method' | 'path' | 'answer' | 'tag'> & {
  /** The name of a schema. */
  answer?: string;
  status?: number;
  answerHeaders?: Readonly<Record<string, string>>;
};

export const SCIM_OPERATIONS: readonly ScimOperation[] = [
  ...resourceOperations('User'),
  ...resourceOperations('Group'),
  ...operations('SCIM', '', {
    get: {
      id: 'listResources',
      summary: 'Query users, then groups',
      parameters: QUERY,
      answer: 'ScimResourceList',
    },
  }),
  ...operations('SCIM', '/.search', {
    post: {
      id: 'searchResources',
      summary: 'Query users, then groups, by POST',
      body: 'ScimSearch',
      answer: 'ScimResourceList',
    },
  }),
  ...operations('SCIM', '/Bulk', {
    post: {
      id: 'runBulkOperations',
      summary: 'Run up to 1000 operations in one request of at most 1 MiB',
      body: 'ScimBulk',
      answer: 'ScimBulkAnswer',
    },
  }),
  ...operations('SCIM discovery', '/ServiceProviderConfig', {
    get: {
      id: 'getServiceProviderConfig',
      summary: 'Get the supported features and limits',
      answer: 'ScimProviderConfig',
    },
  }),
  ...discoveryOperations('ResourceType', 'resource type'),
  ...discoveryOperations('Schema', 'schema'),
];

function resourceOperations(name: 'User' | 'Group'): ScimOperation[] {
  const endpoint = `${name}s` as const;
  const noun = name.toLowerCase();
  const tag = `SCIM ${endpoint}` as const;
  const [answer, body, list] = [`Scim${name}`, `Scim${name}Body`, `Scim${name}List`];
  return [
    ...operations(tag, `/${endpoint}`, {
      get: { id: `list${endpoint}`, summary: `Query ${noun}s`, parameters: QUERY, answer: list },
      post: {
        id: `create${name}`,
        summary: `Create a ${noun}`,
        parameters: SELECTION,
        body,
        status: 201,
        answer,
        answerHeaders: RESOURCE,
      },
    }),
    ...operations(tag, `/${endpoint}/{id}`, {
      get: {
        id: `get${name}`,
        summary: `Get a ${noun}`,
        parameters: [ID, IF_NONE_MATCH, ...SELECTION],
        answer,
        answerHeaders: RESOURCE,
        otherAnswers: UNCHANGED,
      },
      put: {
        id: `replace${name}`,
        summary: `Replace a ${noun}`,
        parameters: [ID, IF_MATCH, ...SELECTION],
        body,
        answer,
        answerHeaders: RESOURCE,
      },
      patch: {
        id: `patch${name}`,
        summary: `Change a ${noun}`,
        parameters: [ID, IF_MATCH, PREFER, ...SELECTION],
        body: 'ScimPatch',
        answer,
        answerHeaders: RESOURCE,
        otherAnswers: NO_ANSWER,
      },
      delete: {
        id: `delete${name}`,
        summary: `Delete a ${noun}`,
        parameters: [ID, IF_MATCH],
        otherAnswers: { 204: { description: 'Done.' } },
      },
    }),
    ...operations(tag, `/${endpoint}/.search`, {
      post: {
        id: `search${endpoint}`,
        summary: `Query ${noun}s by POST`,
        body: 'ScimSearch',
        answer: list,
      },
    }),
  ];
}

function discoveryOperations(name: 'ResourceType' | 'Schema', noun: string): ScimOperation[] {
  const answer = `Scim${name}`;
  return [
    ...operations('SCIM discovery', `/${name}s`, {
      get: { id: `list${name}s`, summary: `List the ${noun}s`, answer: `${answer}List` },
    }),
    ...operations('SCIM discovery', `/${name}s/{id}`, {
      get: { id: `get${name}`, summary: `Get a ${noun}`, parameters: [ID], answer },
    }),
  ];
}

function operations(
  tag: DsyncOperation['tag'],
  path: string,
  routes: Partial<Record<ScimOperation['method'], Route>>,
): ScimOperation[] {
  return Object.entries(routes).map(
    ([method, { answer, status = 200, answerHeaders, parameters = [], ...route }]) => ({
      ...route,
      tag,
      method: method as ScimOperation['method'],
      path: BASE + path,
      mediaType: SCIM_JSON,
      security: [{ 'scim-secret': [] }],
      parameters: [DIRECTORY_ID, ...parameters],
      ...(answer && {
        answer: { status, description: 'Done.', schema: answer, headers: answerHeaders },
      }),
    }),
  );
}
