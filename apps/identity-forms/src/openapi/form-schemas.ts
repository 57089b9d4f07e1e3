/** Schemas of errors, decoded traits and forms. */
import {
  arrayOf,
  enumOf,
  flag,
  integer,
  mapOf,
  record,
  type Schema,
  schemaRef,
  type Schemas,
  text,
  time,
} from '@gatehouse/nest-kit/openapi';

const ANY_OBJECT = mapOf(true);

const NODE = {
  name: text('The name to submit under.', { example: 'traits.address.city' }),
  pointer: text(undefined, { example: '/traits/address/city' }),
  label: text(),
  'hint?': text(),
  required: flag(),
  optional: flag('It may be left out even where the object around it is given.'),
  readOnly: flag('Shown, and never read from a form.'),
  errors: arrayOf(schemaRef('FieldError')),
  'when?': record({ name: text(), values: arrayOf(text()) }),
};

/** A node of some kinds, and its other members. */
const BRANCHES: Readonly<Record<string, readonly [kinds: readonly string[], members: Schemas]>> = {
  InputNode: [['input', 'textarea'], { type: text(), value: text(), attributes: ANY_OBJECT }],
  CheckboxNode: [['checkbox'], { checked: flag() }],
  ChoiceNode: [
    ['select', 'radios', 'checkboxes'],
    {
      type: enumOf(['text', 'number']),
      options: arrayOf(record({ value: text(), label: text(), selected: flag() })),
      attributes: ANY_OBJECT,
    },
  ],
  GroupNode: [['group'], { children: arrayOf(schemaRef('FormNode')) }],
  ListNode: [
    ['list', 'rows'],
    {
      rows: arrayOf(schemaRef('FormNode')),
      'entryTitle?': text(),
      rowsMin: integer(),
      rowsMax: integer(),
    },
  ],
};

/** One schema for each branch, with the kind as discriminator. */
function formNodes(): Schemas {
  const mapping: Record<string, string> = {};
  const branches: Record<string, Schema> = {};
  for (const [name, [kinds, members]] of Object.entries(BRANCHES)) {
    branches[name] = record({ kind: enumOf(kinds), ...NODE, ...members });
    for (const kind of kinds) mapping[kind] = schemaRef(name).$ref;
  }
  return {
    FormNode: {
      oneOf: Object.keys(BRANCHES).map(schemaRef),
      discriminator: { propertyName: 'kind', mapping },
    },
    ...branches,
  };
}

const VIEW = {
  title: text(),
  'description?': text(),
  language: enumOf(['en', 'de', 'fr', 'es']),
  nodes: arrayOf(schemaRef('UiNode'), { description: "As Kratos's `ui.nodes`." }),
  form: schemaRef('FormModel'),
};

const TRAITS = {
  description: 'As far as they were understood: an object, unless something else was sent.',
};

export const FORM_SCHEMAS: Schemas = {
  FieldError: record({
    pointer: text(undefined, { example: '/traits/age' }),
    'name?': text(undefined, { example: 'traits.age' }),
    code: text(undefined, { example: 'type' }),
    'id?': integer('The number that Kratos gives it.', { example: 4000026 }),
    message: text('In the language of Accept-Language.'),
    'params?': ANY_OBJECT,
  }),
  Problem: {
    ...record({
      type: text(undefined, { example: 'about:blank' }),
      title: text(undefined, { example: 'Unprocessable Content' }),
      status: integer(undefined, { example: 422 }),
      'detail?': text(),
      'code?': text(undefined, { example: 'FORM_REFUSED' }),
      'params?': mapOf(text()),
      'errors?': arrayOf(schemaRef('FieldError')),
      'traits?': TRAITS,
      'ignored?': arrayOf(text()),
      'form?': schemaRef('FormModel'),
      request_id: text(),
    }),
    description:
      'RFC 9457. A 5xx has no members but type, title, status and request_id; `form` is the form of a flow, to be shown again.',
  },
  Decoded: record({
    traits: TRAITS,
    ignored: arrayOf(text(), { description: 'Names without a place in the schema.' }),
  }),
  ...formNodes(),
  FormModel: record({
    title: text(),
    'description?': text(),
    language: text(),
    nodes: arrayOf(schemaRef('FormNode')),
    errors: arrayOf(schemaRef('FieldError'), { description: 'Errors that belong to no field.' }),
  }),
  UiNode: record({
    type: enumOf(['input']),
    group: enumOf(['default']),
    attributes: ANY_OBJECT,
    messages: arrayOf(record({ id: integer(), text: text(), type: text(), context: ANY_OBJECT })),
    meta: record({
      'label?': record({ id: integer(), text: text(), type: text(), context: ANY_OBJECT }),
    }),
  }),
  FormView: record({ schema_id: text(), schema_version: integer(), ...VIEW }),
  SchemaPreview: record({
    ...VIEW,
    html: text(
      'Its fields for a page that has the stylesheet of the pages, with a button that does nothing.',
    ),
    warnings: arrayOf(schemaRef('SchemaWarning'), {
      description: 'Parts of the schema without effect, or ambiguous ones.',
    }),
  }),
  FlowView: record({
    id: text('The name of the flow.', { format: 'uuid' }),
    kind: enumOf(['sign-up', 'profile']),
    expires_at: time(),
    action: text('Where to send the form.'),
    method: enumOf(['POST']),
    csrf_token: text('To be sent along, with the cookie of this answer.'),
    ...VIEW,
  }),
  AcceptedSignUp: record({ flow_id: text(undefined, { format: 'uuid' }) }),
};
