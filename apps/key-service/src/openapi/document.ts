/**
 * The complete description of the API: Nest's description of the controllers, the native routes,
 * and the named schemas of both.
 */
import { completeDocument, contentOf } from '@gatehouse/service-kit';
import type { OpenAPIObject } from '@nestjs/swagger';
import { MESSAGE_SCHEMAS } from './message-schemas.js';
import {
  ADMIN_HEADER_SECURITY,
  ADMIN_SECURITY,
  errorsOf,
  headersOf,
  type NativeOperation,
  parameterSchema,
} from './operation.js';
import { RECORD_SCHEMAS } from './record-schemas.js';

/** Routes of the kit, which it leaves undescribed. */
const KIT_OPERATIONS: readonly NativeOperation[] = [
  kitOperation('/version', 'getVersion', 'The version of the service', 'Version'),
  kitOperation('/health/alive', 'isAlive', 'Whether the process runs', 'Health'),
  {
    ...kitOperation('/health/ready', 'isReady', 'Whether the stores can be reached', 'Health'),
    query: {
      exclude: {
        type: 'array',
        description: 'What it may lack and still be ready, such as redis.',
      },
    },
    otherAnswers: { 503: 'Health' },
  },
];

function kitOperation(path: string, id: string, summary: string, schema: string): NativeOperation {
  return {
    ...{ method: 'get', path, id, summary, tag: 'Operations', isPublic: true, errors: [] },
    answer: { status: 200, schema, description: `${summary}.` },
  };
}

/** Adds the native routes and the named schemas to the description that Nest made. */
export function describeApi(
  document: OpenAPIObject,
  nativeOperations: readonly NativeOperation[],
): OpenAPIObject {
  const paths = { ...document.paths };
  for (const operation of [...KIT_OPERATIONS, ...nativeOperations]) {
    const { path, method } = operation;
    paths[path] = { ...paths[path], [method]: operationObject(operation) };
  }
  return completeDocument(document, {
    openapi: '3.1.0',
    paths,
    schemas: { ...RECORD_SCHEMAS, ...MESSAGE_SCHEMAS },
    securitySchemes: {
      [ADMIN_SECURITY]: { type: 'http', scheme: 'bearer' },
      [ADMIN_HEADER_SECURITY]: {
        type: 'apiKey',
        in: 'header',
        name: 'X-Admin-Authorization',
        description: '`Bearer <key>`',
      },
    },
  });
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
