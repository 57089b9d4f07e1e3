/** Completes the description of the API. */
import {
  type ApiDialect,
  completeDocument,
  contentOf,
  errorResponses,
  kitOperations,
} from '@gatehouse/service-kit';
import type { OpenAPIObject } from '@nestjs/swagger';
import { MESSAGE_SCHEMAS } from './message-schemas.js';
import {
  ADMIN_HEADER_SECURITY,
  ADMIN_SECURITY,
  type KeyOperation,
  type NativeKeyOperation,
} from './operation.js';
import { RECORD_SCHEMAS } from './record-schemas.js';

const ERROR_TEXTS = {
  400: 'A field or parameter is not valid or not known; the details name it.',
  401: 'The credential is missing, unknown or no longer valid.',
  402: 'There are as many keys as MAX_KEYS allows.',
  403: 'The credential may not do this.',
  404: 'There is no such key.',
  409: 'The state of the key does not allow this.',
  413: 'The body is too large.',
  415: 'The body is no JSON.',
  429: 'The rate limit of the credential is exhausted.',
  default: 'Another fault, such as 503 while a store is away.',
};

const DIALECT: ApiDialect<KeyOperation> = {
  openapi: '3.1.0',
  schemas: { ...RECORD_SCHEMAS, ...MESSAGE_SCHEMAS },
  security: [ADMIN_SECURITY, ADMIN_HEADER_SECURITY],
  securitySchemes: {
    adminKey: { type: 'http', scheme: 'bearer' },
    adminHeader: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Admin-Authorization',
      description: '`Bearer <key>`',
    },
  },
  errorsOf: ({ errors, isPublic, body, tag }) => {
    const guard = isPublic ? [] : [401, 403, 429];
    const ofInput = tag === 'Operations' ? [] : [400];
    const ofBody = body === undefined ? [] : [413, 415];
    const all = [...errors, ...guard, ...ofInput, ...ofBody];
    return errorResponses(all, ERROR_TEXTS, contentOf('Error'));
  },
  answerHeaders: {},
  hasControllerTags: true,
};

const KIT_OPERATIONS = kitOperations<KeyOperation>(
  kitOperation('getVersion', 'The version of the service'),
  kitOperation('isAlive', 'Whether the process runs'),
  { ...kitOperation('isReady', 'Whether the stores can be reached'), unready: 'What is wrong.' },
);

/** Adds the native routes and the named schemas to the description that Nest made. */
export function describeApi(
  document: OpenAPIObject,
  nativeOperations: readonly NativeKeyOperation[],
): OpenAPIObject {
  return completeDocument(document, DIALECT, [...KIT_OPERATIONS, ...nativeOperations]);
}

function kitOperation(id: string, summary: string) {
  return {
    ...{ id, summary, tag: 'Operations' as const, isPublic: true, security: [], errors: [] },
    answer: { description: `${summary}.` },
  };
}
