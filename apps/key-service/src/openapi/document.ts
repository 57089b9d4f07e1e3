// The whole description of the API: what Nest knows of the controllers, the native routes, and the
// named schemas that both point at.
import type { OpenAPIObject } from '@nestjs/swagger';
import type { KeyServiceConfig } from '../config.js';
import { batchImportOperations } from '../keys/batch-import.routes.js';
import { deriveOperations } from '../tokens/derive.routes.js';
import { authorizeOperations } from '../verification/authorize.routes.js';
import { verificationOperations } from '../verification/verification.routes.js';
import { MESSAGE_SCHEMAS } from './message-schemas.js';
import {
  ADMIN_HEADER_SECURITY,
  ADMIN_SECURITY,
  errorsOf,
  headersOf,
  type Operation,
  parameterSchema,
} from './operation.js';
import { RECORD_SCHEMAS } from './record-schemas.js';
import { ref } from './schema-parts.js';

/** A native route: method and path as OpenAPI writes them. */
export interface NativeOperation extends Operation {
  method: 'get' | 'post';
  path: string;
  /** Where `Authorization` belongs to somebody else. */
  isAdminHeaderOnly?: boolean;
  /** Answers with a status of their own that are no errors of the API: the schema of each. */
  otherAnswers?: Readonly<Record<number, string>>;
}

/** What every service of the house has, and the kit leaves undescribed. */
const OF_THE_KIT: readonly NativeOperation[] = [
  ofTheKit('/version', 'getVersion', 'The version of the service', 'Version'),
  ofTheKit('/health/alive', 'isAlive', 'Whether the process runs', 'Health'),
  {
    ...ofTheKit('/health/ready', 'isReady', 'Whether the stores can be reached', 'Health'),
    query: {
      exclude: {
        type: 'array',
        description: 'What it may lack and still be ready, such as redis.',
      },
    },
    otherAnswers: { 503: 'Health' },
  },
];

function ofTheKit(path: string, id: string, summary: string, schema: string): NativeOperation {
  return {
    ...{ method: 'get', path, id, summary, tag: 'Operations', isPublic: true, errors: [] },
    answer: { status: 200, schema, description: `${summary}.` },
  };
}

const NATIVE: readonly NativeOperation[] = [
  ...verificationOperations,
  ...authorizeOperations,
  ...deriveOperations,
  ...batchImportOperations,
];

/** Completes what Nest described, for the surface that this process serves. */
export function completeDocument(
  document: OpenAPIObject,
  surface: KeyServiceConfig['surface'],
): OpenAPIObject {
  const paths = { ...document.paths };
  for (const operation of [...OF_THE_KIT, ...(surface === 'public' ? [] : NATIVE)]) {
    const { path, method } = operation;
    paths[path] = { ...paths[path], [method]: operationObject(operation) };
  }
  return {
    ...document,
    openapi: '3.1.0',
    paths,
    components: {
      ...document.components,
      schemas: { ...RECORD_SCHEMAS, ...MESSAGE_SCHEMAS } as never,
      securitySchemes: {
        [ADMIN_SECURITY]: { type: 'http', scheme: 'bearer' },
        [ADMIN_HEADER_SECURITY]: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Admin-Authorization',
          description: '`Bearer <key>`',
        },
      },
    },
  };
}

function operationObject(operation: NativeOperation): object {
  const { id, summary, tag, body, answer } = operation;
  const parameters = [
    ...Object.entries(operation.query ?? {}).map(([name, parameter]) => ({
      ...{ name, in: 'query', required: false },
      ...{ description: parameter.description, schema: parameterSchema(parameter) },
    })),
    ...Object.entries(operation.headers ?? {}).map(([name, parameter]) => ({
      ...{ name, in: 'header', required: false },
      ...{ description: parameter.description, schema: parameterSchema(parameter) },
    })),
  ];
  return {
    operationId: id,
    summary,
    tags: [tag],
    parameters,
    security: securityOf(operation),
    ...(body && { requestBody: { required: !operation.isBodyOptional, content: contentOf(body) } }),
    responses: Object.fromEntries([
      [
        answer.status,
        {
          description: answer.description,
          headers: headersOf(answer),
          ...(answer.schema && { content: contentOf(answer.schema) }),
        },
      ],
      ...Object.entries(operation.otherAnswers ?? {}).map(([status, schema]) => [
        status,
        { description: 'What is wrong.', content: contentOf(schema) },
      ]),
      ...errorsOf(operation).map(([status, description]) => [
        status,
        { description, content: contentOf('Error') },
      ]),
    ]) as Record<string, object>,
  };
}

function securityOf({ isPublic, isAdminHeaderOnly }: NativeOperation): object[] {
  if (isPublic) return [];
  const header = { [ADMIN_HEADER_SECURITY]: [] };
  return isAdminHeaderOnly ? [header] : [{ [ADMIN_SECURITY]: [] }, header];
}

function contentOf(schema: string): object {
  return { 'application/json': { schema: ref(schema) } };
}
