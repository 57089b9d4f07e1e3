/**
 * The operations of the services, each with a request that succeeds: the example of its description,
 * with the ids and credentials of a tenant.
 */
import { ADMIN_KEY, type HttpService } from '../live-stack/whole-stack.js';
import { BOUNDARY, type Draft } from './draft.js';
import { type Described } from './mutations.js';
import { recipeOf } from './recipes.js';
import { type Tenant } from '../live-stack/tenant.js';

export interface Description {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown> };
}

interface Operation {
  operationId: string;
  security?: object[];
  parameters?: { in: string; name: string }[];
  requestBody?: { content: Record<string, { schema: unknown; example?: object }> };
}

export interface Target extends Described {
  service: HttpService | 'dsync-worker';
  /** Such as `POST /v1/schemas (application/json)`. */
  name: string;
  /** A request of a tenant that succeeds. */
  build(tenant: Tenant): Promise<Draft>;
  /** Headers that depend on the body; see Recipe. */
  sign?: ((tenant: Tenant, body: Buffer) => Record<string, string>) | undefined;
  /** A success uses up what it works on, so the next request needs another. */
  isUsedUp: boolean;
  /** Answers belong to one tenant, so the texts of another must not occur in them. */
  isScoped: boolean;
  /** The request without mutations has to succeed. */
  isDescribed: boolean;
}

export function targetsOf(service: HttpService, document: Description): Target[] {
  return Object.entries(document.paths).flatMap(([template, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const types = Object.keys(operation.requestBody?.content ?? {});
      return (types.length === 0 ? [undefined] : types).map((type) =>
        targetOf(service, { method: method.toUpperCase(), template, operation, type }, document),
      );
    }),
  );
}

interface Place {
  method: string;
  template: string;
  operation: Operation;
  type: string | undefined;
}

function targetOf(
  service: HttpService,
  { method, template, operation, type }: Place,
  document: Description,
): Target {
  const { parameters = [] } = operation;
  const recipe = recipeOf(service, operation.operationId, template);
  const content = type === undefined ? undefined : operation.requestBody?.content[type];
  return {
    service,
    name: `${method} ${template}${type === undefined ? '' : ` (${type})`}`,
    queryNames: parameters.filter((each) => each.in === 'query').map(({ name }) => name),
    bodyNames: [...namesIn(content?.schema, document)],
    sign: recipe.sign,
    isUsedUp: recipe.isUsedUp ?? false,
    isScoped: recipe.isScoped ?? false,
    isDescribed: true,
    build: async (tenant) => {
      const { ids = {}, query = {}, headers = {}, body } = (await recipe.make?.(tenant)) ?? {};
      const draft: Draft = {
        method,
        path: template.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? `no-${name}`),
        query: Object.entries(query),
        headers: { ...credentialOf(operation), ...headers },
      };
      if (type !== undefined) setBody(draft, type, bodyOf(content?.example, body));
      return draft;
    },
  };
}

function bodyOf(example: object | undefined, body: object | undefined): object {
  return Array.isArray(body) ? body : { ...example, ...body };
}

function setBody(draft: Draft, type: string, example: object): void {
  const isMultipart = type === 'multipart/form-data';
  draft.headers['content-type'] = isMultipart ? `${type}; boundary=${BOUNDARY}` : type;
  if (/\bjson$/.test(type)) draft.json = structuredClone(example);
  else {
    draft.fields = Object.entries(example)
      .filter(([, value]) => value !== undefined)
      .flatMap(([name, value]) =>
        [value].flat().map((each): [string, string] => [name, String(each)]),
      );
  }
}

function credentialOf({ security = [] }: Operation): Record<string, string> {
  if (security.length === 0) return {};
  const isHeader = security.every((each) => 'adminHeader' in each);
  return { [isHeader ? 'x-admin-authorization' : 'authorization']: `Bearer ${ADMIN_KEY}` };
}

/** The names of all members that a schema describes, at any depth. */
function namesIn(schema: unknown, document: Description, seen = new Set<unknown>()): Set<string> {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return new Set();
  seen.add(schema);
  const { $ref = '', properties = {} } = schema as { $ref?: string; properties?: object };
  const reference = /^#\/components\/schemas\/(.+)$/.exec($ref)?.[1];
  const parts = reference ? [document.components.schemas[reference]] : Object.values(schema);
  const inner = parts.flatMap((part) => [...namesIn(part, document, seen)]);
  return new Set([...Object.keys(properties), ...inner]);
}
