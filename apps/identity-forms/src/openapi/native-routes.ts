/** The part of the API description that Nest cannot see: routes that are plain Fastify. */
import { type OpenAPIObject } from '@nestjs/swagger';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

const DECODE_PARAMETERS: Operation['parameters'] = [
  { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
  { name: 'version', in: 'query', schema: { type: 'integer', minimum: 1 } },
  { name: 'validate', in: 'query', schema: { type: 'boolean', default: true } },
  { name: 'useDefaults', in: 'query', schema: { type: 'boolean', default: false } },
  {
    name: 'emptyNullable',
    in: 'query',
    schema: { type: 'string', enum: ['null', 'missing'], default: 'missing' },
  },
  {
    name: 'merge',
    in: 'query',
    description: 'An identity, whose stored traits lie under the decoded ones.',
    schema: { type: 'string', format: 'uuid' },
  },
];

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

const DECODED = {
  type: 'object',
  required: ['traits', 'ignored'],
  properties: {
    traits: { type: 'object', additionalProperties: true },
    ignored: { type: 'array', items: { type: 'string' } },
  },
} as const;

const FIELD_ERROR = {
  type: 'object',
  required: ['pointer', 'code', 'message'],
  properties: {
    pointer: { type: 'string', example: '/traits/age' },
    name: { type: 'string', example: 'traits.age' },
    code: { type: 'string', example: 'type' },
    id: { type: 'integer', example: 4000026 },
    message: { type: 'string' },
    params: { type: 'object', additionalProperties: true },
  },
} as const;

const PROBLEM = {
  type: 'object',
  required: ['type', 'title', 'status', 'request_id'],
  properties: {
    type: { type: 'string', example: 'about:blank' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', example: 'FORM_REFUSED' },
    request_id: { type: 'string' },
    errors: { type: 'array', items: { $ref: '#/components/schemas/FieldError' } },
    traits: { type: 'object', additionalProperties: true },
    ignored: { type: 'array', items: { type: 'string' } },
  },
} as const;

const PAGE = { 'text/html': { schema: { type: 'string' } } } as const;
const FLOW_ID = {
  name: 'id',
  in: 'path',
  required: true,
  schema: { type: 'string' },
} as const;

/** Adds the native routes, the shape of errors and the bearer scheme to Nest's description. */
export function describeNativeRoutes(document: OpenAPIObject): OpenAPIObject {
  const schemas = { ...document.components?.schemas, FieldError: FIELD_ERROR, Problem: PROBLEM };
  const securitySchemes = { bearer: { type: 'http', scheme: 'bearer' } };
  const components = { ...document.components, schemas, securitySchemes };
  const paths = {
    ...document.paths,
    '/v1/schemas/{id}/decode': {
      get: decode('decodeQuery', 'Decode the fields of the query'),
      post: decode('decodeForm', 'Decode a form', FORM_CONTENT),
      put: decode('decodeFormPut', 'Decode a form', FORM_CONTENT),
      patch: decode('decodeFormPatch', 'Decode a form', FORM_CONTENT),
    },
    '/sign-up': { get: signUp() },
    '/flows/{id}': { get: showFlow(), post: submitFlow() },
  };
  return { ...document, components, paths } as unknown as OpenAPIObject;
}

function decode(operationId: string, summary: string, content?: object): object {
  return {
    operationId,
    summary,
    tags: ['decoding'],
    security: [{ bearer: [] }],
    parameters: DECODE_PARAMETERS,
    ...(content && { requestBody: { required: true, content } }),
    responses: {
      200: { description: 'Typed traits.', content: { 'application/json': { schema: DECODED } } },
      ...problems({ 400: 'Cannot be read.', 401: 'No admin.', 404: 'No such schema.' }),
      ...problems({ 413: 'Over a limit.', 415: 'Not a form.', 422: 'Values that do not fit.' }),
    },
  };
}

function signUp(): object {
  return {
    operationId: 'signUp',
    summary: 'Start a sign-up with a public schema',
    tags: ['pages'],
    parameters: [
      { name: 'schema', in: 'query', required: true, schema: { type: 'string' } },
      { name: 'return_to', in: 'query', schema: { type: 'string', format: 'uri' } },
    ],
    responses: {
      303: { description: 'To the page of the flow.' },
      404: { description: 'No such public schema.', content: PAGE },
    },
  };
}

function showFlow(): object {
  return {
    operationId: 'showFlow',
    summary: 'The form of a flow, as a page or as JSON by Accept',
    tags: ['pages'],
    parameters: [FLOW_ID],
    responses: {
      200: { description: 'The form.', content: { ...PAGE, 'application/json': {} } },
      ...problems({ 404: 'No such flow.', 410: 'Expired or used.' }),
    },
  };
}

function submitFlow(): object {
  return {
    operationId: 'submitFlow',
    summary: 'Submit the form of a flow',
    tags: ['pages'],
    parameters: [FLOW_ID],
    requestBody: { required: true, content: FORM_CONTENT },
    responses: {
      200: { description: 'The changed identity, or the form with a row more or less.' },
      201: { description: 'The new identity, for JSON.' },
      303: { description: 'To return_to or the thank-you page.' },
      ...problems({ 403: 'Not from our own page.', 410: 'Expired or used.' }),
      ...problems({
        413: 'Over a limit.',
        415: 'Not a form.',
        422: 'The form again, with faults.',
      }),
    },
  };
}

function problems(descriptions: Readonly<Record<number, string>>): object {
  const content = {
    'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
  };
  return Object.fromEntries(
    Object.entries(descriptions).map(([status, description]) => [status, { description, content }]),
  );
}
