// The whole description of the API: what Nest knows of the controllers, the native routes, and the
// named schemas that both point at.
import type { OpenAPIObject } from '@nestjs/swagger';
import type { KeyServiceConfig } from '../config.js';
import { batchImportOperations } from '../keys/batch-import.routes.js';
import { deriveOperations } from '../tokens/derive.routes.js';
import { authorizeOperations } from '../verification/authorize.routes.js';
import { verificationOperations } from '../verification/verification.routes.js';
import { MESSAGE_SCHEMAS } from './message-schemas.js';
import { ADMIN_SECURITY, errorsOf, type Operation, parameterSchema } from './operation.js';
import { RECORD_SCHEMAS } from './record-schemas.js';
import { ref } from './schema-parts.js';

/** A native route: method and path as OpenAPI writes them. */
export interface NativeOperation extends Operation {
  method: 'get' | 'post';
  path: string;
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
  for (const operation of surface === 'public' ? [] : NATIVE) {
    const { path, method } = operation;
    paths[path] = { ...paths[path], [method]: operationObject(operation) };
  }
  return {
    ...document,
    paths,
    components: {
      ...document.components,
      schemas: { ...RECORD_SCHEMAS, ...MESSAGE_SCHEMAS } as never,
      securitySchemes: { [ADMIN_SECURITY]: { type: 'http', scheme: 'bearer' } },
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
    security: [{ [ADMIN_SECURITY]: [] }],
    ...(body && { requestBody: { required: true, content: contentOf(body) } }),
    responses: Object.fromEntries([
      [
        answer.status,
        {
          description: answer.description,
          ...(answer.schema && { content: contentOf(answer.schema) }),
        },
      ],
      ...errorsOf(operation).map(([status, description]) => [
        status,
        { description, content: contentOf('Error') },
      ]),
    ]) as Record<string, object>,
  };
}

function contentOf(schema: string): object {
  return { 'application/json': { schema: ref(schema) } };
}
