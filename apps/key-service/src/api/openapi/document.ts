/** Completes the description of the API. */
import {
  type ApiDialect,
  commonErrors,
  completeDocument,
  contentOf,
  errorResponses,
} from '@gatehouse/nest-kit/openapi';
import { type OpenAPIObject } from '@nestjs/swagger';
import {
  ERROR_EXAMPLES,
  EXAMPLES,
  TOKEN_ERROR_EXAMPLES,
  WEBHOOK_ERROR_EXAMPLES,
} from './examples.js';
import { LEAVER_EXAMPLES, LEAVER_SCHEMAS } from './leaver-schemas.js';
import { MESSAGE_SCHEMAS } from './message-schemas.js';
import {
  ADMIN_HEADER_SECURITY,
  ADMIN_SECURITY,
  type KeyOperation,
  type NativeKeyOperation,
} from './operation.js';
import { PORTAL_EXAMPLES, PORTAL_SCHEMAS } from './portal-schemas.js';
import { RECORD_SCHEMAS } from './record-schemas.js';
import { WEBHOOK_EXAMPLES, WEBHOOK_SCHEMAS } from './webhook-schemas.js';

const ERROR_TEXTS = {
  400: 'A field or parameter is not valid or not known; the details name it.',
  401: 'The credential is missing, unknown or no longer valid.',
  402: 'There are as many keys as MAX_KEYS allows.',
  403: 'The credential may not do this.',
  404: 'The key does not exist.',
  409: 'The state of the key does not allow this.',
  413: 'The body is too large.',
  415: 'The body is no JSON.',
  429: 'The rate limit of the credential is exhausted.',
  default: 'Another fault, such as 503 while a store is away.',
};
const WEBHOOK_ERROR_TEXTS = {
  ...ERROR_TEXTS,
  404: 'There is no such endpoint.',
  409: 'There are ten endpoints already.',
};

const TOKEN_ERROR_TEXTS = {
  400: 'The request, the subject token, the scope or the target is not valid; error says which.',
  413: ERROR_TEXTS[413],
  415: 'The body is no form.',
  429: 'Too many exchanges of this client were refused.',
  503: 'A store, or the issuer of the subject token, is away.',
  default: ERROR_TEXTS.default,
};

const DIALECT: ApiDialect<KeyOperation> = {
  schemas: {
    ...RECORD_SCHEMAS,
    ...MESSAGE_SCHEMAS,
    ...LEAVER_SCHEMAS,
    ...WEBHOOK_SCHEMAS,
    ...PORTAL_SCHEMAS,
  },
  examples: { ...EXAMPLES, ...LEAVER_EXAMPLES, ...WEBHOOK_EXAMPLES, ...PORTAL_EXAMPLES },
  tags: {
    Keys: 'Issue, import, change, rotate, revoke and list keys.',
    Verification: 'Check credentials on every request of your application.',
    Leaks: 'Take reports of keys that were found in public.',
    Leavers: 'Which directories stop the keys of people who leave, and what they would stop.',
    Usage: 'How often which keys were verified, and with which outcome.',
    Tokens: 'Derive short-lived tokens from keys, and verify them offline.',
    Events: 'What happened to keys, in order.',
    Webhooks: 'Endpoints that receive the events of keys.',
    Portal: 'Pages on which the users of an application manage their keys.',
    Audit: 'Who changed which key, and refused credentials.',
  },
  security: [ADMIN_SECURITY, ADMIN_HEADER_SECURITY],
  securitySchemes: {
    adminKey: {
      type: 'http',
      scheme: 'bearer',
      description: 'One of ADMIN_API_KEYS, or a live key with a control scope such as keys:admin.',
    },
    adminHeader: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Admin-Authorization',
      description: 'The same key, where `Authorization` has the credential of a client.',
    },
  },
  routelessErrors: contentOf('Error'),
  errorsOf: (operation, method) => {
    const limited = operation.isPublic ? [] : [429];
    const statuses = [...operation.errors, ...commonErrors(operation, method), ...limited, 400];
    const content = contentOf(operation.errorSchema ?? 'Error');
    if (operation.errorSchema) {
      return errorResponses(statuses, TOKEN_ERROR_TEXTS, content, TOKEN_ERROR_EXAMPLES);
    }
    return operation.tag === 'Webhooks'
      ? errorResponses(statuses, WEBHOOK_ERROR_TEXTS, content, WEBHOOK_ERROR_EXAMPLES)
      : errorResponses(statuses, ERROR_TEXTS, content, ERROR_EXAMPLES);
  },
};

/** Adds the native routes and the named schemas to the description that Nest made. */
export function describeApi(
  document: OpenAPIObject,
  nativeOperations: readonly NativeKeyOperation[],
): OpenAPIObject {
  return completeDocument(document, DIALECT, nativeOperations);
}
