/** Examples of requests, records and errors, by the name of their schema. */
import { type Examples } from '@gatehouse/nest-kit/openapi';

/** The schema of the examples, which the example of `registerSchema` registers. */
export const EXAMPLE_SCHEMA_ID = 'customer';

const IDENTITY_ID = '01983f70-1b42-7000-8000-8d03c5e6f712';
const FLOW_ID = '01983f71-52aa-7000-8000-c4b7d1e90a33';
const FLOW_SECRET = 'the-unguessable-part-of-the-address';
const TIME = '2026-01-15T09:30:00.000Z';
const EXPIRY = '2026-01-15T09:45:00.000Z';

const SCHEMA = {
  title: 'Customer',
  type: 'object',
  properties: {
    traits: {
      type: 'object',
      required: ['email'],
      properties: {
        email: { type: 'string', format: 'email', title: 'E-mail', 'x-identifier': true },
        age: { type: 'integer', title: 'Age', minimum: 18 },
        newsletter: { type: 'boolean', title: 'Send me the newsletter' },
      },
    },
  },
};
const TRAITS = { email: 'ada@example.com', age: 42, newsletter: true };

const STORED_SCHEMA = {
  id: EXAMPLE_SCHEMA_ID,
  version: 1,
  current_version: 1,
  public: true,
  created_at: TIME,
  schema: SCHEMA,
};

const VIEW = {
  title: 'Customer',
  language: 'en',
  nodes: [
    {
      type: 'input',
      group: 'default',
      messages: [],
      attributes: { name: 'traits.email', type: 'email', required: true, node_type: 'input' },
      meta: { label: { id: 1070002, text: 'E-mail', type: 'info', context: {} } },
    },
  ],
  form: {
    title: 'Customer',
    language: 'en',
    errors: [],
    nodes: [
      {
        kind: 'input',
        name: 'traits.email',
        pointer: '/traits/email',
        label: 'E-mail',
        required: true,
        optional: false,
        readOnly: false,
        errors: [],
        type: 'email',
        value: '',
        attributes: {},
      },
    ],
  },
};

export const EXAMPLES: Examples = {
  SchemaInput: { id: EXAMPLE_SCHEMA_ID, schema: SCHEMA, public: true },
  SchemaPreviewInput: { schema: SCHEMA },
  SchemaVersionInput: { schema: SCHEMA, public: true },
  SchemaResponse: STORED_SCHEMA,
  WrittenSchemaResponse: { ...STORED_SCHEMA, warnings: [] },
  IdentityInput: { schema_id: EXAMPLE_SCHEMA_ID, traits: TRAITS },
  IdentityChanges: { traits: { age: 43 } },
  AuditEvent: {
    event_id: '01983f6e-7c11-7000-8000-b1f0a2c4d6e8',
    type: 'identity.updated',
    target_id: IDENTITY_ID,
    caller: 'admin-key:1f2e3d4c',
    ip: '192.0.2.10',
    request_id: 'b7f0c1d2e3a4',
    create_time: TIME,
    details: { fields: ['traits.age'] },
  },
  IdentityResponse: {
    id: IDENTITY_ID,
    schema_id: EXAMPLE_SCHEMA_ID,
    schema_version: 1,
    traits: TRAITS,
    created_at: TIME,
    updated_at: TIME,
  },
  SearchHits: {
    hits: [
      {
        kind: 'identity',
        id: IDENTITY_ID,
        title: TRAITS.email,
        detail: EXAMPLE_SCHEMA_ID,
        parent_id: '',
      },
    ],
    is_more: false,
  },
  FlowInput: { kind: 'sign-up', schema_id: EXAMPLE_SCHEMA_ID, ttl: '15m' },
  StartedFlowResponse: {
    id: FLOW_ID,
    expires_at: EXPIRY,
    url: `https://forms.example.com/flows/${FLOW_SECRET}`,
  },
  KeyLinkInput: { on_delete: 'revoke', actor_prefix: 'customer/' },
  KeyLink: { on_delete: 'revoke', actor_prefix: 'customer/', revision: 1, updated_at: TIME },
  FlowResponse: {
    id: FLOW_ID,
    kind: 'sign-up',
    state: 'completed',
    identity_id: IDENTITY_ID,
    schema_id: EXAMPLE_SCHEMA_ID,
    schema_version: 1,
    created_at: TIME,
    expires_at: EXPIRY,
    completed_at: TIME,
  },
  Decoded: { traits: TRAITS, ignored: [] },
  FormView: { schema_id: EXAMPLE_SCHEMA_ID, schema_version: 1, ...VIEW },
  SchemaPreview: {
    ...VIEW,
    html: '<div class="field"><label for="traits.email">E-mail</label><input id="traits.email"></div>',
    warnings: [],
  },
  FlowView: {
    id: FLOW_ID,
    kind: 'sign-up',
    expires_at: EXPIRY,
    action: `/flows/${FLOW_SECRET}`,
    method: 'POST',
    csrf_token: 'the-token-of-the-form',
    ...VIEW,
  },
  AcceptedSignUp: { flow_id: FLOW_ID },
};

export const ERROR_EXAMPLES = {
  400: problem(400, 'Bad Request', 'INVALID_ARGUMENT', 'The request could not be read.'),
  401: problem(
    401,
    'Unauthorized',
    'UNAUTHENTICATED',
    'The admin credential is missing. Send "Authorization: Bearer <key>" with one of ADMIN_API_KEYS, or with a live key of the key service that has the scope forms:admin.',
  ),
  422: {
    ...problem(
      422,
      'Unprocessable Content',
      'FORM_REFUSED',
      'Some values do not match the schema.',
    ),
    errors: [
      {
        pointer: '/traits/email',
        name: 'traits.email',
        code: 'format',
        id: 4000001,
        message: 'E-mail must be an e-mail address.',
      },
    ],
  },
};

function problem(status: number, title: string, code: string, detail: string): object {
  return { type: 'about:blank', title, status, detail, code, request_id: 'b7f0c1d2e3a4' };
}
