/** The native Fastify routes, which Nest does not know: decoding and pages. */
import { contentOf, parameter } from '@gatehouse/service-kit';
import { PAGE, pageProblems, problems } from './operation.js';

const FORM_CONTENT = {
  'application/x-www-form-urlencoded': {
    schema: { type: 'object', additionalProperties: true },
    example: 'traits.newsletter=false&traits.newsletter=true&traits.age=42',
  },
  'multipart/form-data': { schema: { type: 'object', additionalProperties: true } },
  'application/json': {
    schema: { type: 'object', additionalProperties: true },
    example: { 'traits.age': '42', traits: { name: 'Ada' } },
  },
};

const LANGUAGE = parameter('header', 'Accept-Language', { type: 'string' });
const SCHEMA_ID = parameter('path', 'id', { type: 'string' });
const FLOW_ID = parameter('path', 'id', { type: 'string' });

const DECODE_PARAMETERS = [
  SCHEMA_ID,
  parameter('query', 'version', { type: 'integer', minimum: 1 }),
  parameter('query', 'validate', { type: 'boolean', default: true }),
  parameter('query', 'useDefaults', { type: 'boolean', default: false }),
  parameter('query', 'emptyNullable', {
    type: 'string',
    enum: ['null', 'missing'],
    default: 'missing',
  }),
  parameter(
    'query',
    'merge',
    { type: 'string', format: 'uuid' },
    { description: 'An identity, whose stored traits lie under the decoded ones.' },
  ),
  LANGUAGE,
];

export const NATIVE_PATHS: Readonly<Record<string, object>> = {
  '/v1/schemas/{id}/decode': {
    get: decode('decodeQuery', 'Decode the fields of the query'),
    post: decode('decodeForm', 'Decode a form', FORM_CONTENT),
    put: decode('decodeFormPut', 'Decode a form', FORM_CONTENT),
    patch: decode('decodeFormPatch', 'Decode a form', FORM_CONTENT),
  },
  '/sign-up': { get: signUp() },
  '/flows/{id}': { get: showFlow(), post: submitFlow() },
  '/flows/{id}/done': { get: showDone() },
};

function decode(operationId: string, summary: string, content?: object): object {
  return {
    operationId,
    summary,
    tags: ['decoding'],
    security: [{ bearer: [] }],
    parameters: DECODE_PARAMETERS,
    ...(content && { requestBody: { required: true, content } }),
    responses: {
      200: { description: 'Typed traits.', content: contentOf('Decoded') },
      ...problems(400, 401, 403, 404, 413, ...(content ? [415] : []), 422),
    },
  };
}

function signUp(): object {
  return {
    operationId: 'signUp',
    summary: 'Start a sign-up with a public schema',
    tags: ['pages'],
    parameters: [
      { ...parameter('query', 'schema', { type: 'string' }), required: true },
      parameter('query', 'return_to', { type: 'string', format: 'uri' }),
    ],
    responses: { 303: { description: 'To the page of the flow.' }, ...pageProblems(400, 404) },
  };
}

function showFlow(): object {
  return {
    operationId: 'showFlow',
    summary: 'The form of a flow, as a page or as JSON by Accept',
    tags: ['pages'],
    parameters: [FLOW_ID, LANGUAGE],
    responses: {
      200: { description: 'The form.', content: { ...PAGE, ...contentOf('FlowView') } },
      ...pageProblems(404, 410),
    },
  };
}

function submitFlow(): object {
  return {
    operationId: 'submitFlow',
    summary: 'Submit the form of a flow',
    description: 'With the cookie and the `csrf_token` that the form came with.',
    tags: ['pages'],
    parameters: [FLOW_ID, LANGUAGE],
    requestBody: { required: true, content: FORM_CONTENT },
    responses: {
      200: {
        description: 'JSON: the changed identity. A page: the form with a row more or less.',
        content: { ...PAGE, ...contentOf('IdentityResponse') },
      },
      201: { description: 'JSON: the new identity.', content: contentOf('IdentityResponse') },
      303: { description: 'A page: to return_to or the thank-you page.' },
      ...pageProblems(400, 403, 404, 410, 413, 415, 422),
    },
  };
}

function showDone(): object {
  return {
    operationId: 'showDone',
    summary: 'The thank-you page of a flow that was submitted',
    tags: ['pages'],
    parameters: [FLOW_ID],
    responses: { 200: { description: 'The page.', content: PAGE }, ...pageProblems(404) },
  };
}
