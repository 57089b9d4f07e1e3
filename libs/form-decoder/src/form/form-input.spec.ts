import { type JsonValue } from '../model/form-decoder.types.js';
import { formOf, nodeOf, planOf } from '../../test/forms.js';

describe('the control of a property', () => {
  it.each<[JsonValue, object]>([
    [{ type: 'string' }, { kind: 'input', type: 'text' }],
    [
      { type: 'string', format: 'email' },
      { type: 'email', attributes: { autocomplete: 'email' } },
    ],
    [{ type: 'string', format: 'uri' }, { type: 'url' }],
    [{ type: 'string', format: 'tel' }, { type: 'tel' }],
    [{ type: 'string', format: 'date' }, { type: 'date' }],
    [{ type: 'string', format: 'date-time' }, { type: 'datetime-local' }],
    [{ type: 'string', format: 'time' }, { type: 'time' }],
    [{ type: 'string', format: 'regex' }, { type: 'text' }],
    [{ type: 'string', writeOnly: true }, { type: 'password' }],
    [
      { type: 'string', minLength: 2, maxLength: 120 },
      { kind: 'input', attributes: { minlength: 2, maxlength: 240 } },
    ],
    [
      { type: 'string', maxLength: 121 },
      { kind: 'textarea', attributes: { maxlength: 242 } },
    ],
    [{ type: 'string', pattern: '^[a-z]+$' }, { attributes: { pattern: '[a-z]+' } }],
    [{ type: 'string', pattern: 'b|c' }, { attributes: { pattern: '.*(?:b|c).*' } }],
    [
      { type: 'integer', minimum: 13, maximum: 150 },
      { type: 'number', attributes: { min: 13, max: 150, step: 1 } },
    ],
    [{ type: 'integer', exclusiveMinimum: 0 }, { attributes: { min: 1 } }],
    [{ type: 'integer', minimum: 1.5, maximum: 3.5 }, { attributes: { min: 2, max: 3, step: 1 } }],
    [
      { type: 'integer', exclusiveMinimum: 0.5, exclusiveMaximum: 2.5 },
      { attributes: { min: 1, max: 2 } },
    ],
    [{ type: 'integer', exclusiveMaximum: 3 }, { attributes: { max: 2 } }],
    [{ type: 'number' }, { attributes: { step: 'any' } }],
    [{ type: 'number', multipleOf: 0.5, minimum: 1 }, { attributes: { step: 0.5 } }],
    [{ type: ['integer', 'null'] }, { type: 'number' }],
    [{ type: 'boolean' }, { kind: 'checkbox', checked: false }],
    [{ const: true }, { kind: 'checkbox' }],
    [{ const: 'v1' }, { kind: 'input', type: 'hidden', value: 'v1' }],
    [{ enum: ['a', 'b'] }, { kind: 'radios', type: 'text' }],
    [
      { type: 'number', enum: [1, 2, 3, 4, 5, 6] },
      { kind: 'select', type: 'number' },
    ],
    [{ type: 'array', items: { enum: ['a', 'b', 'c', 'd', 'e', 'f'] } }, { kind: 'checkboxes' }],
    [{ type: 'array', items: { type: 'string' } }, { kind: 'list' }],
    [{ type: 'array', items: { type: 'object', properties: { a: {} } } }, { kind: 'rows' }],
    [{ type: 'object', properties: { a: {} } }, { kind: 'group' }],
    [{ type: 'object' }, { kind: 'textarea' }],
    [
      { type: 'string', 'x-autocomplete': 'nickname' },
      { attributes: { autocomplete: 'nickname' } },
    ],
    [{}, { kind: 'input', type: 'text' }],
  ])('%j', (schema, expected) => {
    expect(nodeOf(schema)).toMatchObject({
      name: 'traits.x',
      pointer: '/traits/x',
      label: 'X',
      ...expected,
    });
  });

  it('of what only a condition asks about is open, not a hidden answer', () => {
    const plan = planOf(
      {},
      { if: { properties: { k: { const: 'biz' } }, required: ['k'] }, then: { required: ['vat'] } },
    );
    expect(plan.form().nodes).toMatchObject([
      { name: 'traits.k', kind: 'radios', options: [{ value: 'biz', selected: false }] },
    ]);
  });

  it('leaves a pattern to the server that HTML could not say', () => {
    for (const pattern of ['(?i)abc', '\\pL+', '\\Aabc\\z']) {
      expect(nodeOf({ type: 'string', pattern })).toMatchObject({ attributes: {} });
    }
  });

  it('knows what browsers fill in by the usual names', () => {
    const nodes = formOf({
      first_name: {},
      zipCode: {},
      zip: {},
      password: { type: 'string' },
    }).nodes;
    expect(
      nodes.map((node) => (node.kind === 'input' ? node.attributes['autocomplete'] : '')),
    ).toEqual(['given-name', undefined, 'postal-code', 'new-password']);
  });
});

describe('values', () => {
  it.each<[JsonValue, JsonValue, object]>([
    [{ type: 'number' }, 1.5, { type: 'number', value: '1.5' }],
    [{ type: 'number' }, 'abc', { type: 'text', value: 'abc' }],
    [{ type: 'string', format: 'date' }, '30.1.2024', { type: 'text', value: '30.1.2024' }],
    [
      { type: 'string', format: 'date-time' },
      '2024-01-02T03:04:00Z',
      { value: '2024-01-02T03:04' },
    ],
    [{ type: 'string', format: 'time' }, '03:04:00Z', { value: '03:04' }],
    [{ type: 'string', format: 'time' }, '03:04:05Z', { value: '03:04:05' }],
    [{ type: 'string' }, 'a\nb', { kind: 'textarea', value: 'a\nb' }],
    // As a text it comes back as it is; as a time it would mean another one.
    [
      { type: 'string', format: 'time' },
      '03:04:05+02:00',
      { type: 'text', value: '03:04:05+02:00' },
    ],
    [{ type: 'string', format: 'time' }, '03:04:05.5Z', { type: 'text', value: '03:04:05.5Z' }],
    [{ type: 'string', format: 'iso-time' }, '03:04:00', { type: 'time', value: '03:04' }],
    [{ type: 'boolean' }, true, { checked: true }],
    [{ type: ['string', 'null'] }, null, { value: '' }],
    [{ type: 'string', writeOnly: true }, 'hunter2', { value: '' }],
    [{ type: 'object' }, { a: [1] }, { value: '{"a":[1]}' }],
    [
      { enum: ['a', 1] },
      1,
      {
        options: [
          { value: 'a', selected: false },
          { value: '1', selected: true },
        ],
      },
    ],
    [
      { type: 'array', items: { enum: [1, 2] } },
      [2],
      { options: [{ selected: false }, { value: '2', selected: true }] },
    ],
  ])('of %j: %j', (schema, value, expected) => {
    expect(nodeOf(schema, value)).toMatchObject(expected);
  });

  it('of date-times are shown in the zone of the form', () => {
    const node = nodeOf({ type: 'string', format: 'date-time' }, '2024-07-02T01:04:00Z', {
      timeZone: 'Europe/Berlin',
    });
    expect(node).toMatchObject({ value: '2024-07-02T03:04' });
  });
});
