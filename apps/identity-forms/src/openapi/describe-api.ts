/** Completes the description that Nest derives from the controllers. */
import {
  type ApiDialect,
  commonErrors,
  completeDocument,
  contentOf,
  errorResponses,
} from '@gatehouse/nest-kit/openapi';
import { type OpenAPIObject } from '@nestjs/swagger';
import { ERROR_EXAMPLES, EXAMPLES } from './examples.js';
import { FORM_SCHEMAS } from './form-schemas.js';
import { NATIVE_OPERATIONS } from './native-operations.js';
import { type FormsOperation, PAGE } from './operation.js';
import { RECORD_SCHEMAS } from './record-schemas.js';
import { WEBHOOK_EXAMPLES, WEBHOOK_SCHEMAS } from './webhook-schemas.js';

const ERROR_TEXTS = {
  default: 'Not now, or a fault of ours.',
  400: 'Cannot be read, or a parameter is wrong; the problem names it.',
  401: 'No valid admin credential.',
  403: 'Not for this caller.',
  404: 'Not found.',
  409: 'The id is already in use, or the limit is reached.',
  410: 'Expired, or already submitted.',
  413: 'Over a limit, which the problem names.',
  415: 'A media type, charset or content coding that is not read.',
  422: 'Values that do not fit; the problem names each.',
  429: 'Too many submissions; Retry-After says when the next one is counted anew.',
};

const PROBLEM = contentOf('Problem', 'application/problem+json');

const DIALECT: ApiDialect<FormsOperation> = {
  schemas: { ...RECORD_SCHEMAS, ...FORM_SCHEMAS, ...WEBHOOK_SCHEMAS },
  examples: { ...EXAMPLES, ...WEBHOOK_EXAMPLES },
  tags: {
    Schemas: 'Register the JSON Schemas that describe the traits of people.',
    Decoding: 'Turn a submitted form into typed, validated traits.',
    Flows: 'Send a person to a sign-up or profile form, and read what became of it.',
    Identities: 'The people, and their traits.',
    Events: 'What happened to identities, in order.',
    Webhooks: 'Endpoints that receive the events of identities.',
    Audit: 'Who administrated what.',
    Pages: 'What browsers open: the form of a flow, as a page or as JSON.',
  },
  security: [{ bearer: [] }],
  securitySchemes: {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description: 'One of ADMIN_API_KEYS, or a live key with the scope forms:admin or forms:read.',
    },
  },
  routelessErrors: PROBLEM,
  errorsOf: (operation, method) => {
    // Parameters that an operation does not have are refused.
    const statuses = [400, ...operation.errors, ...commonErrors(operation, method)];
    const content = { ...PROBLEM, ...(operation.hasPages && PAGE) };
    return errorResponses(statuses, ERROR_TEXTS, content, ERROR_EXAMPLES);
  },
};

export function describeApi(document: OpenAPIObject): OpenAPIObject {
  return completeDocument(document, DIALECT, NATIVE_OPERATIONS);
}
