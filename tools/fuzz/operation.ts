/** The operations of the services, each with a request that succeeds as its example says. */
import { ADMIN_KEY, type HttpService, type RunningApp } from '../live-stack/whole-stack.js';
import { type Tenant } from '../live-stack/tenant.js';
import { ownOf, type Own } from './own.js';

export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  required?: string[];
  additionalProperties?: boolean | Schema;
  properties?: Record<string, Schema>;
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
}

export interface Document {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Schema> };
}

interface Described {
  operationId: string;
  security?: object[];
  parameters?: { in: string; name: string; schema?: Schema }[];
  requestBody?: {
    required: boolean;
    content: Record<string, { schema: Schema; example?: object }>;
  };
}

/** A request before it is changed and encoded. */
export interface Draft {
  method: string;
  path: string;
  query: Record<string, unknown>;
  headers: Record<string, string>;
  /** Media type of the body. */
  type?: string;
  body?: unknown;
  /** Adds headers that depend on the bytes of the body. */
  sign?: (body: Buffer) => Record<string, string>;
}

export interface Operation {
  service: RunningApp;
  /** Name such as `POST /v1/schemas (application/json)`. */
  name: string;
  /** Schemas of the query and the headers, by name. */
  query: Record<string, Schema>;
  headers: Record<string, Schema>;
  body?: Schema;
  needsBody: boolean;
  schemas: Record<string, Schema>;
  /** A success uses up what it works on, so the next request needs another. */
  isUsedUp: boolean;
  /** Answers belong to one tenant, so the texts of another must not occur in them. */
  isScoped: boolean;
  /** The unchanged request has to succeed. */
  hasExample: boolean;
  draftOf(tenant: Tenant): Promise<Draft>;
}

/** Paths with events or endpoints of both tenants. */
const SHARED = /\/(v1|admin)\/(events|webhook-endpoints)/;
/** Answers about the credential in the body or the header. */
const BY_CREDENTIAL = /\/apiKeys:(verify|batchVerify|derive|authorize)/;

export function operationsOf(service: HttpService, document: Document): Operation[] {
  return Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.entries(methods).flatMap(([method, described]) => {
      const content = described.requestBody?.content ?? {};
      const types = Object.keys(content);
      const place = { service, template, method: method.toUpperCase(), described, document };
      return (types.length === 0 ? [undefined] : types).map((type) =>
        operationOf({ ...place, type }),
      );
    }),
  );
}

interface Place {
  service: HttpService;
  template: string;
  method: string;
  described: Described;
  document: Document;
  type: string | undefined;
}

function operationOf({ service, template, method, described, document, type }: Place): Operation {
  const { parameters = [], operationId } = described;
  const named = (place: string) =>
    Object.fromEntries(
      parameters
        .filter((each) => each.in === place)
        .map(({ name, schema = {} }) => [name.toLowerCase(), schema]),
    );
  const query = parameters.filter((each) => each.in === 'query');
  const content = type === undefined ? undefined : described.requestBody?.content[type];
  return {
    service,
    name: `${method} ${template}${type === undefined ? '' : ` (${type})`}`,
    query: Object.fromEntries(query.map(({ name, schema = {} }) => [name, schema])),
    headers: named('header'),
    body: content?.schema,
    needsBody: described.requestBody?.required ?? false,
    schemas: document.components.schemas,
    isUsedUp: method !== 'GET' || template.startsWith('/flows/'),
    isScoped: (template.includes('{') && !SHARED.test(template)) || BY_CREDENTIAL.test(template),
    hasExample: true,
    draftOf: async (tenant) => {
      const own: Own = await ownOf(tenant, { service, template, method, operationId });
      const example = content?.example;
      const body = Array.isArray(own.body) ? own.body : { ...example, ...own.body };
      return {
        method,
        path: template.replaceAll(
          /\{(\w+)\}/g,
          (_, name: string) => own.ids?.[name] ?? `no-${name}`,
        ),
        query: own.query ?? {},
        headers: { ...credentialOf(described), ...own.headers },
        type,
        body: type === undefined ? undefined : structuredClone(body),
        sign: own.sign,
      };
    },
  };
}

function credentialOf({ security = [] }: Described): Record<string, string> {
  if (security.length === 0) return {};
  const isHeader = security.every((each) => 'adminHeader' in each);
  return { [isHeader ? 'x-admin-authorization' : 'authorization']: `Bearer ${ADMIN_KEY}` };
}

const CHANNEL = '01983f6e-7c10-7000-8000-2f6d1c7a9b01';

/** Routes that the descriptions leave out: callbacks, notifications, and the queue board. */
export const UNDESCRIBED: readonly Operation[] = [
  undescribed('dsync-api', 'GET', '/api/scim/oauth/callback', ['state', 'code', 'error', 'tenant']),
  undescribed(
    'dsync-api',
    'POST',
    `/api/scim/workspace/notifications/${CHANNEL}`,
    ['validationToken'],
    { 'x-goog-channel-id': CHANNEL, 'x-goog-message-number': '1', 'x-goog-channel-token': 'x' },
  ),
  undescribed(
    'dsync-worker',
    'GET',
    '/admin/queues/api/queues',
    ['activeQueue', 'status', 'page', 'jobsPerPage'],
    { authorization: `Basic ${Buffer.from(`x:${ADMIN_KEY}`).toString('base64')}` },
  ),
];

function undescribed(
  service: RunningApp,
  method: string,
  path: string,
  query: string[],
  headers: Record<string, string> = {},
): Operation {
  const hasBody = method === 'POST';
  const body = {
    value: [{ subscriptionId: CHANNEL, clientState: 'x', resourceData: { id: 'x' } }],
  };
  const draft = { method, path, query: {}, type: hasBody ? 'application/json' : undefined };
  return {
    service,
    name: `${method} ${path}`,
    query: Object.fromEntries(query.map((name) => [name, {}])),
    headers: {},
    body: hasBody ? { type: 'object', properties: { value: {}, kind: {}, id: {} } } : undefined,
    needsBody: false,
    schemas: {},
    isUsedUp: false,
    isScoped: false,
    hasExample: false,
    draftOf: () => Promise.resolve({ ...draft, headers, body: hasBody ? body : undefined }),
  };
}
