/** Completes the description that Nest derives from the controllers of the management API. */
import {
  type ApiDialect,
  completeDocument,
  contentOf,
  errorResponses,
  schemaRef,
} from '@gatehouse/service-kit';
import { type OpenAPIObject } from '@nestjs/swagger';
import { DIRECTORY_SCHEMAS } from './directory.schemas.js';
import { type DsyncOperation, envelope, NULL } from './operation.js';
import { RECORD_SCHEMAS } from './record.schemas.js';
import { SCIM_JSON, SCIM_OPERATIONS } from './scim-operations.js';
import { SCIM_SCHEMAS } from './scim.schemas.js';

const ERROR_TEXTS = {
  400: 'Something is missing or wrong; the message names the field.',
  401: 'No valid management credential.',
  403: 'The credential lacks the scope for this.',
  404: 'Not found, or not visible to this caller.',
  413: 'A body of more than 1 MiB.',
  415: 'A body that is not JSON.',
  429: 'The rate limit of the credential is exhausted; Retry-After says when to try again.',
  503: 'Not now; Retry-After says when.',
};

const DIALECT: ApiDialect<DsyncOperation> = {
  schemas: { ...DIRECTORY_SCHEMAS, ...RECORD_SCHEMAS, ...SCIM_SCHEMAS },
  security: [{ 'api-key': [] }, { bearer: [] }],
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
  errorsOf: ({ errors }) =>
    errors === undefined
      ? errorResponses([], { default: 'RFC 7644 section 3.12' }, contentOf('ScimError', SCIM_JSON))
      : errorResponses(
          [...new Set([400, ...errors, 401, 403, 429, 503])],
          ERROR_TEXTS,
          contentOf(envelope(NULL, schemaRef('Fault'))),
        ),
};

/** Describes the first path of the management API only. */
export function describeApi(document: OpenAPIObject): OpenAPIObject {
  const own = Object.entries(document.paths).filter(
    ([url]) => !url.startsWith('/api/v1/directory-sync'),
  );
  for (const [, routes] of own) {
    for (const route of Object.values(routes) as { operationId?: string }[]) {
      route.operationId = route.operationId?.replace('[0]', '');
    }
  }
  return completeDocument(
    { ...document, paths: Object.fromEntries(own) },
    DIALECT,
    SCIM_OPERATIONS,
  );
}
