/** Schemas of the API description that have no DTO class: errors, decoded traits, forms. */

const TEXT = { type: 'string' } as const;
const FLAG = { type: 'boolean' } as const;
const COUNT = { type: 'integer' } as const;
import { schemaRef } from '@gatehouse/service-kit';

const ANY_OBJECT = { type: 'object', additionalProperties: true } as const;

function listOf(items: object): object {
  return { type: 'array', items };
}

/** An object with these members; a name that ends in `?` may be absent. */
export function record(members: Readonly<Record<string, object>>): object {
  const entries = Object.entries(members);
  const required = entries.map(([name]) => name).filter((name) => !name.endsWith('?'));
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(
      entries.map(([name, schema]) => [name.replace(/\?$/, ''), schema]),
    ),
  };
}

const NODE = {
  name: { ...TEXT, description: 'The name to submit under.', example: 'traits.address.city' },
  pointer: { ...TEXT, example: '/traits/address/city' },
  label: TEXT,
  'hint?': TEXT,
  required: FLAG,
  readOnly: { ...FLAG, description: 'Shown, and never taken from a form.' },
  errors: listOf(schemaRef('FieldError')),
  'when?': record({ name: TEXT, values: listOf(TEXT) }),
};

function node(kinds: readonly string[], members: Readonly<Record<string, object>>): object {
  return record({ kind: { ...TEXT, enum: kinds }, ...NODE, ...members });
}

const VIEW = {
  title: TEXT,
  'description?': TEXT,
  language: { ...TEXT, enum: ['en', 'de', 'fr', 'es'] },
  nodes: { ...listOf(schemaRef('UiNode')), description: "As Kratos's `ui.nodes`." },
  form: schemaRef('FormModel'),
};

const TRAITS = {
  description: 'As far as they were understood: an object, unless something else was sent.',
};

export const FORM_SCHEMAS: Readonly<Record<string, object>> = {
  FieldError: record({
    pointer: { ...TEXT, example: '/traits/age' },
    'name?': { ...TEXT, example: 'traits.age' },
    code: { ...TEXT, example: 'type' },
    'id?': { ...COUNT, description: 'The number that Kratos gives it.', example: 4000026 },
    message: { ...TEXT, description: 'In the language of Accept-Language.' },
    'params?': ANY_OBJECT,
  }),
  Problem: {
    ...record({
      type: { ...TEXT, example: 'about:blank' },
      title: { ...TEXT, example: 'Unprocessable Content' },
      status: { ...COUNT, example: 422 },
      'detail?': TEXT,
      'code?': { ...TEXT, example: 'FORM_REFUSED' },
      'params?': { type: 'object', additionalProperties: TEXT },
      'errors?': listOf(schemaRef('FieldError')),
      'traits?': TRAITS,
      'ignored?': listOf(TEXT),
      request_id: TEXT,
    }),
    description: 'RFC 9457. A 5xx has no members but type, title, status and request_id.',
  },
  Decoded: record({
    traits: TRAITS,
    ignored: { ...listOf(TEXT), description: 'Names without a place in the schema.' },
  }),
  FormNode: {
    oneOf: [
      node(['input', 'textarea'], { type: TEXT, value: TEXT, attributes: ANY_OBJECT }),
      node(['checkbox'], { checked: FLAG }),
      node(['select', 'radios', 'checkboxes'], {
        type: { ...TEXT, enum: ['text', 'number'] },
        options: listOf(record({ value: TEXT, label: TEXT, selected: FLAG })),
        attributes: ANY_OBJECT,
      }),
      node(['group'], { children: listOf(schemaRef('FormNode')) }),
      node(['list', 'rows'], {
        rows: listOf(schemaRef('FormNode')),
        rowsMin: COUNT,
        rowsMax: COUNT,
      }),
    ],
  },
  FormModel: record({
    title: TEXT,
    'description?': TEXT,
    language: TEXT,
    nodes: listOf(schemaRef('FormNode')),
    errors: { ...listOf(schemaRef('FieldError')), description: 'Those of no field.' },
  }),
  UiNode: record({
    type: { ...TEXT, enum: ['input'] },
    group: { ...TEXT, enum: ['default'] },
    attributes: ANY_OBJECT,
    messages: listOf(record({ id: COUNT, text: TEXT, type: TEXT, context: ANY_OBJECT })),
    meta: record({
      'label?': record({ id: COUNT, text: TEXT, type: TEXT, context: ANY_OBJECT }),
    }),
  }),
  FormView: record({ schema_id: TEXT, schema_version: COUNT, ...VIEW }),
  FlowView: record({
    id: TEXT,
    kind: { ...TEXT, enum: ['sign-up', 'profile'] },
    expires_at: { ...TEXT, format: 'date-time' },
    action: { ...TEXT, description: 'Where to send the form.' },
    method: { ...TEXT, enum: ['POST'] },
    csrf_token: { ...TEXT, description: 'To be sent along, with the cookie of this answer.' },
    ...VIEW,
  }),
  Health: record({
    status: { ...TEXT, enum: ['ok', 'degraded', 'unavailable'] },
    'errors?': { type: 'object', additionalProperties: TEXT },
  }),
  Version: record({ version: TEXT }),
};
