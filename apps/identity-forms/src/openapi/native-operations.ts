/** The native routes: decoding and pages. */
import {
  type Content,
  contentOf,
  enumOf,
  flag,
  integer,
  mapOf,
  parameter,
  text,
} from '@gatehouse/nest-kit/openapi';
import { EXAMPLE_SCHEMA_ID } from './examples.js';
import { LOCATION, type NativeFormsOperation, PAGE } from './operation.js';

/** JSON first, because the reference prefills the first. */
const FORM_CONTENT: Content = {
  'application/json': {
    schema: mapOf(true),
    example: { 'traits.age': '42', traits: { email: 'ada@example.com' } },
  },
  'application/x-www-form-urlencoded': {
    schema: mapOf(true),
    example: { 'traits.email': 'ada@example.com', 'traits.newsletter': ['false', 'true'] },
  },
  'multipart/form-data': {
    schema: mapOf(true),
    example: { 'traits.email': 'ada@example.com', 'traits.age': '42' },
  },
};

/** The fields of a form, and the token that it came with. */
const SUBMISSION: Content = Object.fromEntries(
  Object.entries(FORM_CONTENT).map(([type, { schema, example }]) => [
    type,
    { schema: { ...schema, properties: { csrf_token: text('That of the form.') } }, example },
  ]),
);

const LANGUAGE = parameter('header', 'Accept-Language', text());
const ID = parameter('path', 'id', text());

const DECODE: Omit<NativeFormsOperation, 'id' | 'summary' | 'method' | 'errors'> = {
  path: '/v1/schemas/{id}/decode',
  tag: 'Decoding',
  parameters: [
    parameter('path', 'id', text(undefined, { example: EXAMPLE_SCHEMA_ID })),
    parameter('query', 'version', integer(undefined, { minimum: 1 })),
    parameter('query', 'validate', flag(undefined, { default: true })),
    parameter('query', 'useDefaults', flag(undefined, { default: false })),
    parameter('query', 'emptyNullable', enumOf(['null', 'missing'], { default: 'missing' })),
    parameter('query', 'merge', text(undefined, { format: 'uuid' }), {
      description: 'An identity, whose stored traits lie under the decoded ones.',
    }),
    LANGUAGE,
  ],
  answer: { status: 200, description: 'Typed traits.', schema: 'Decoded' },
};
const DECODE_FORM = {
  ...DECODE,
  summary: 'Decode a form',
  body: FORM_CONTENT,
  errors: [404, 422],
};
const FLOW = { path: '/flows/{id}', tag: 'Pages', isPublic: true, hasPages: true } as const;

export const NATIVE_OPERATIONS: readonly NativeFormsOperation[] = [
  {
    ...DECODE,
    method: 'get',
    id: 'decodeQuery',
    summary: 'Decode the fields of the query',
    errors: [400, 404, 413, 422],
  },
  { ...DECODE_FORM, method: 'post', id: 'decodeForm' },
  { ...DECODE_FORM, method: 'put', id: 'decodeFormPut' },
  { ...DECODE_FORM, method: 'patch', id: 'decodeFormPatch' },
  {
    ...FLOW,
    method: 'get',
    path: '/sign-up',
    id: 'signUp',
    summary: 'Start a sign-up with a public schema',
    parameters: [
      parameter('query', 'schema', text(undefined, { example: EXAMPLE_SCHEMA_ID }), {
        required: true,
      }),
      parameter('query', 'return_to', text(undefined, { format: 'uri' })),
    ],
    answer: { status: 303, description: 'To the page of the flow.', headers: LOCATION },
    errors: [400, 404],
  },
  {
    ...FLOW,
    method: 'get',
    id: 'showFlow',
    summary: 'The form of a flow, as a page or as JSON by Accept',
    parameters: [ID, LANGUAGE],
    answer: { status: 200, description: 'The form.', schema: 'FlowView', content: PAGE },
    errors: [403, 404, 410],
  },
  {
    ...FLOW,
    method: 'post',
    id: 'submitFlow',
    summary: 'Submit the form of a flow',
    description: 'With the cookie and the `csrf_token` that the form came with.',
    parameters: [ID, LANGUAGE],
    body: SUBMISSION,
    answer: {
      status: 200,
      description: 'JSON: the changed identity. A page: the form with a row more or less.',
      content: { ...PAGE, ...contentOf('IdentityResponse') },
    },
    otherAnswers: {
      201: { description: 'JSON: the new identity.', schema: 'IdentityResponse' },
      202: {
        description: 'JSON: a sign-up with SIGN_UP_ENUMERATION=hide, which does not say more.',
        schema: 'AcceptedSignUp',
      },
      303: { description: 'A page: to return_to or the thank-you page.', headers: LOCATION },
    },
    errors: [403, 404, 410, 422, 429],
  },
  {
    ...FLOW,
    method: 'get',
    path: '/flows/{id}/done',
    id: 'showDone',
    summary: 'The thank-you page of a flow that was submitted',
    parameters: [ID],
    answer: { status: 200, description: 'The page.', content: PAGE },
    errors: [404],
  },
];
