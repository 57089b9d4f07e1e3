/** Completes the description that Nest derives from the controllers of the management API. */
import {
  type ApiDialect,
  commonErrors,
  completeDocument,
  contentOf,
  errorResponses,
  NULL,
  schemaRef,
} from '@gatehouse/nest-kit/openapi';
import { webhookSchemas } from '@gatehouse/delivery/nest';
import { DIRECTORY_EVENTS } from '@gatehouse/schemas';
import { type OpenAPIObject } from '@nestjs/swagger';
import { DIRECTORY_SCHEMAS } from './directory.schemas.js';
import { ERROR_EXAMPLES, EXAMPLES, SCIM_ERROR_EXAMPLES } from './examples.js';
import { GUARD_EXAMPLES, GUARD_SCHEMAS } from './guard.schemas.js';
import { type DsyncOperation, envelope } from './operation.js';
import { KEY_LINK_EXAMPLES, KEY_LINK_SCHEMAS } from './key-link.schemas.js';
import { RECORD_SCHEMAS } from './record.schemas.js';
import { REQUEST_EXAMPLES, REQUEST_SCHEMAS } from './request.schemas.js';
import { ROLE_EXAMPLES, ROLE_SCHEMAS } from './role.schemas.js';
import { RUN_EXAMPLES, RUN_SCHEMAS } from './run.schemas.js';
import { SCIM_JSON, SCIM_OPERATIONS } from './scim-operations.js';
import { SCIM_TOKEN_EXAMPLES, SCIM_TOKEN_SCHEMAS } from './scim-token.schemas.js';
import { SCIM_SCHEMAS } from './scim.schemas.js';
import { SETUP_EXAMPLES, SETUP_SCHEMAS } from './setup.schemas.js';

const ERROR_TEXTS = {
  400: 'Something is missing or wrong; the message names the field.',
  401: 'No valid management credential.',
  403: 'The credential lacks the scope for this.',
  404: 'Not found, or not visible to this caller.',
  409: 'Not possible in the present state: a limit is reached, a name is in use, or a run is held or not held.',
  413: 'A body of more than 1 MiB.',
  415: 'A body that is not JSON.',
  429: 'The rate limit of the credential is exhausted; Retry-After says when to try again.',
  502: 'The provider of the workspace directory refused or did not answer.',
  503: 'Not now; Retry-After says when.',
};

const SCIM_ERROR_TEXTS = {
  401: 'No valid bearer token of this directory.',
  403: 'The directory is deactivated, or its guard holds the removal.',
  default: 'RFC 7644 section 3.12',
};

const MANAGEMENT_ERROR = contentOf('ErrorEnvelope');

const DIALECT: ApiDialect<DsyncOperation> = {
  schemas: {
    ErrorEnvelope: envelope(NULL, schemaRef('Fault')),
    ...DIRECTORY_SCHEMAS,
    ...RECORD_SCHEMAS,
    ...webhookSchemas(DIRECTORY_EVENTS),
    ...RUN_SCHEMAS,
    ...GUARD_SCHEMAS,
    ...REQUEST_SCHEMAS,
    ...SCIM_TOKEN_SCHEMAS,
    ...SETUP_SCHEMAS,
    ...SCIM_SCHEMAS,
    ...ROLE_SCHEMAS,
    ...KEY_LINK_SCHEMAS,
  },
  examples: {
    ...EXAMPLES,
    ...RUN_EXAMPLES,
    ...GUARD_EXAMPLES,
    ...REQUEST_EXAMPLES,
    ...SCIM_TOKEN_EXAMPLES,
    ...ROLE_EXAMPLES,
    ...KEY_LINK_EXAMPLES,
    ...SETUP_EXAMPLES,
  },
  tags: {
    Directories: 'Connections of identity providers, one per tenant and product.',
    'SCIM tokens': 'Up to ten named bearer tokens of a directory, beside its SCIM secret.',
    'Key links': 'Which people are which actors of keys, and what stops their keys.',
    'Users and groups': 'What the identity providers have sent.',
    Events: 'The log of changes, and their delivery to webhooks.',
    Webhooks: 'Up to ten endpoints that receive the events of a directory.',
    Workspaces: 'Runs that pull a workspace from its provider, or hold what a guard has stopped.',
    'Setup links': 'Pages on which the administrator of an identity provider connects it.',
    Audit: 'Who administrated what.',
    'SCIM Users': 'RFC 7644 for identity providers: users.',
    'SCIM Groups': 'RFC 7644 for identity providers: groups and their members.',
    SCIM: 'RFC 7644 for identity providers: queries over all resources, and bulk requests.',
    'SCIM discovery': 'RFC 7644 section 4: what the service supports.',
  },
  security: [{ bearer: [] }],
  securitySchemes: {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description:
        'One of API_KEYS, or a live key with the scope dsync:admin or dsync:read. ' +
        'The header may also be `Authorization: Api-Key <key>`.',
    },
    'scim-secret': {
      type: 'http',
      scheme: 'bearer',
      description: 'The `scim.secret` of the directory, or one of its SCIM tokens.',
    },
  },
  routelessErrors: MANAGEMENT_ERROR,
  errorsOf: (operation, method) =>
    operation.errors === undefined
      ? errorResponses(
          [401, 403],
          SCIM_ERROR_TEXTS,
          contentOf('ScimError', SCIM_JSON),
          SCIM_ERROR_EXAMPLES,
        )
      : errorResponses(
          [...operation.errors, ...commonErrors(operation, method), 400, 429, 503],
          ERROR_TEXTS,
          MANAGEMENT_ERROR,
          ERROR_EXAMPLES,
        ),
};

/** Describes the first path of the management API only. */
export function describeApi(document: OpenAPIObject): OpenAPIObject {
  const own = Object.entries(document.paths).filter(
    ([url]) => !url.startsWith('/api/v1/directory-sync'),
  );
  return completeDocument(
    { ...document, paths: Object.fromEntries(own) },
    DIALECT,
    SCIM_OPERATIONS,
  );
}
