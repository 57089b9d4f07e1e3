import { compileSchema } from '../compile-schema.js';
import { type FieldError, type FormPlan, type JsonValue } from '../model/form-decoder.types.js';

const planOf = (x: JsonValue, more: object = {}): FormPlan =>
  compileSchema({ properties: { traits: { type: 'object', properties: { x }, ...more } } });
const errorsOf = (x: JsonValue, value: JsonValue | undefined): FieldError[] =>
  planOf(x).validate({ traits: value === undefined ? {} : { x: value } });

describe('errors', () => {
  it('are at most 100, so that a small form has no large answer', () => {
    const found = errorsOf({ type: 'array', items: { type: 'integer' } }, Array(999).fill('x'));
    expect(found).toHaveLength(100);
  });

  it.each<[JsonValue, JsonValue, string, number, Record<string, JsonValue>]>([
    [{ minLength: 3 }, 'é😀', 'minLength', 4000003, { limit: 3, actual: 2 }],
    [{ maxLength: 2 }, 'abc', 'maxLength', 4000017, { limit: 2, actual: 3 }],
    [{ pattern: '^a' }, 'b', 'pattern', 4000004, { pattern: '^a' }],
    [{ minimum: 5 }, 3, 'minimum', 4000018, { limit: 5, actual: 3 }],
    [{ exclusiveMinimum: 5 }, 5, 'exclusiveMinimum', 4000019, { limit: 5, actual: 5 }],
    [{ maximum: 5 }, 6, 'maximum', 4000020, { limit: 5, actual: 6 }],
    [{ exclusiveMaximum: 5 }, 5, 'exclusiveMaximum', 4000021, { limit: 5, actual: 5 }],
    [{ multipleOf: 0.01 }, 0.015, 'multipleOf', 4000022, { base: 0.01 }],
    [{ maxItems: 1 }, [1, 2], 'maxItems', 4000023, { limit: 1, actual: 2 }],
    [{ minItems: 1 }, [], 'minItems', 4000024, { limit: 1, actual: 0 }],
    [
      { uniqueItems: true },
      [1, { a: [2] }, { a: [2] }],
      'uniqueItems',
      4000025,
      { first: 1, second: 2 },
    ],
    [
      { type: 'integer' },
      'abc',
      'type',
      4000026,
      { types: ['integer'], actual: 'string', value: 'abc' },
    ],
    [
      { type: ['integer', 'null'] },
      1.5,
      'type',
      4000026,
      { types: ['integer', 'null'], actual: 'number', value: 1.5 },
    ],
    [{ type: 'string' }, { a: 1 }, 'type', 4000026, { types: ['string'], actual: 'object' }],
    [
      { type: 'integer' },
      '9007199254740993',
      'number.precision',
      4000026,
      { types: ['integer'], actual: 'string', value: '9007199254740993' },
    ],
    [{ const: 5 }, 4, 'const', 4000029, { expected: 5 }],
    [{ const: { a: 1 } }, {}, 'const', 4000029, { expected: { a: 1 } }],
    [{ enum: ['a', 'b'] }, 'c', 'enum', 4000001, { allowed: ['a', 'b'] }],
    [{ enum: [{ a: 1 }, 2] }, 3, 'enum', 4000001, { allowed: [{ a: 1 }, 2] }],
    [{ format: 'email' }, 'x', 'format', 4000040, { format: 'email' }],
    [{ format: 'tel' }, 'x', 'format', 4000041, { format: 'tel' }],
    [{ format: 'date' }, '2024-02-30', 'format', 4000001, { format: 'date' }],
    [{ not: { const: 1 } }, 1, 'not', 4000001, {}],
    [{ contains: { const: 1 } }, [2], 'contains', 4000001, {}],
    [{ minProperties: 2 }, { a: 1 }, 'minProperties', 4000001, { limit: 2, actual: 1 }],
    [{ oneOf: [{ minimum: 1 }, { maximum: 9 }] }, 5, 'oneOf', 4000001, {}],
    [false, 1, 'not', 4000001, {}],
  ])('%j refuses %j', (x, value, code, id, params) => {
    expect(errorsOf(x, value)).toMatchObject([
      { pointer: '/traits/x', name: 'traits.x', code, id, params },
    ]);
  });

  it('name what is missing or too much, not the object around it', () => {
    const plan = planOf(
      { type: 'string' },
      {
        required: ['x', 'a/b'],
        additionalProperties: false,
        propertyNames: { maxLength: 3 },
      },
    );
    const errors = plan.validate({ traits: { 'long.er': 1 } });
    expect(errors.map(({ name, code }) => `${name} ${code}`).sort()).toEqual([
      'traits.a/b required',
      'traits.long\\.er additionalProperties',
      'traits.long\\.er propertyNames',
      'traits.x required',
    ]);
    expect(errors.map(({ pointer }) => pointer)).toContain('/traits/a~1b');
  });

  it('say one thing where a wrong type breaks other rules too', () => {
    expect(
      errorsOf({ type: 'number', enum: [1, 2], minimum: 1 }, 'x').map(({ code }) => code),
    ).toEqual(['type']);
  });

  it('come in the order of the form', () => {
    const text = { type: 'string', minLength: 3 };
    const plan = compileSchema({
      properties: {
        traits: {
          type: 'object',
          required: ['missing'],
          properties: {
            z: { ...text, 'x-order': 1 },
            rows: { type: 'array', items: { type: 'object', properties: { a: text, b: text } } },
            missing: text,
            a: text,
          },
        },
      },
    });
    const value = { traits: { a: '', rows: [{ b: '', a: '' }, {}, { b: '' }], z: '' } };
    expect(plan.validate(value).map(({ pointer }) => pointer)).toEqual([
      '/traits/z',
      '/traits/rows/0/a',
      '/traits/rows/0/b',
      '/traits/rows/2/b',
      '/traits/missing',
      '/traits/a',
    ]);
  });

  it('never give back what must stay secret', () => {
    const secret = compileSchema({
      properties: {
        traits: {
          type: 'object',
          properties: { password: { type: 'integer' }, pin: { type: 'integer', writeOnly: true } },
        },
      },
    });
    const errors = secret.validate({ traits: { password: 'hunter2', pin: 'x1y2' } });
    expect(errors).toHaveLength(2);
    expect(JSON.stringify(errors)).not.toMatch(/hunter2|x1y2/);
  });

  it('name texts that no database keeps', () => {
    expect(errorsOf({ type: 'string' }, 'a\u0000b').map(({ code }) => code)).toEqual([
      'text.control',
    ]);
    expect(errorsOf({}, { a: ['\ud800'] })).toMatchObject([
      { pointer: '/traits/x/a/0', code: 'text.control' },
    ]);
    expect(errorsOf({ type: 'string' }, '😀')).toEqual([]);
  });

  it('are none for a property called like a member of every object', () => {
    const plan = planOf(
      {},
      { required: ['toString'], properties: { valueOf: { type: 'integer' }, toString: {} } },
    );
    expect(plan.validate({ traits: {} })).toMatchObject([
      { pointer: '/traits/toString', code: 'required' },
    ]);
    expect(plan.validate({ traits: { toString: 'x', valueOf: 1 } })).toEqual([]);
  });
});

describe('what errors tell of a schema', () => {
  it('is short, since every entry of a list may have one', () => {
    const members = Array.from({ length: 1000 }, (_, index) => `m${index}`);
    const [error] = errorsOf({ enum: members }, 'x');
    expect(error?.params['allowed']).toEqual(members.slice(0, 250));
    expect(error?.message).toBe(`“X” must be one of: ${members.slice(0, 20).join(', ')}, ….`);
    const long = 'y'.repeat(10_000);
    const rules: JsonValue[] = [{ const: long }, { const: { a: long } }, { pattern: `[${long}]` }];
    for (const x of rules) {
      expect(JSON.stringify(errorsOf(x, 'x')).length).toBeLessThan(1500);
    }
  });
});

describe('rules', () => {
  it.each<[JsonValue, JsonValue]>([
    [{ multipleOf: 0.01 }, 19.99],
    [{ multipleOf: 0.1 }, 0.3],
    [{ pattern: 'b' }, 'abc'],
    [{ pattern: '(?i)^ABC$' }, 'abc'],
    [{ pattern: '^\\pL+$' }, 'éß'],
    [{ type: 'integer' }, 5.0],
    [{ uniqueItems: true }, [1, '1', true, [1], { a: 1 }, '[1]', null]],
    [{ format: 'unknown-format' }, 'x'],
    [{ format: 'email' }, 5],
    [
      { type: 'object', properties: {}, additionalProperties: { $ref: '#/properties/traits' } },
      { a: { x: {} } },
    ],
    [{ if: { minimum: 5 } }, 1],
    [{ enum: [{ a: 1, b: 2 }] }, { b: 2, a: 1 }],
  ])('%j takes %j', (x, value) => {
    expect(errorsOf(x, value)).toEqual([]);
  });

  it('tell the patterns of one schema apart, of values and of names', () => {
    const plan = compileSchema({
      properties: {
        traits: {
          type: 'object',
          properties: { a: { pattern: '^a' }, b: { pattern: '^b' } },
          patternProperties: { '^n_': { type: 'integer' }, '^t_': { type: 'boolean' } },
          additionalProperties: false,
        },
      },
    });
    expect(plan.validate({ traits: { a: 'a', b: 'b', n_x: 5, t_x: true } })).toEqual([]);
    const wrong = plan.validate({ traits: { a: 'b', b: 'a', n_x: true, t_x: 5 } });
    expect(wrong.map(({ pointer, code }) => `${pointer} ${code}`).sort()).toEqual([
      '/traits/a pattern',
      '/traits/b pattern',
      '/traits/n_x type',
      '/traits/t_x type',
    ]);
  });

  it('do not change what they check', () => {
    const value = Object.freeze({ traits: Object.freeze({ x: '5' }) });
    expect(planOf({ type: 'integer', default: 3 }).validate(value)).toHaveLength(1);
    expect(value).toEqual({ traits: { x: '5' } });
  });
});

describe('conflicts and errors', () => {
  it('of one place are not reported twice', () => {
    const plan = planOf({ type: 'object', properties: { a: { type: 'integer' } } });
    const decoded = plan.decode({ 'traits.x': '{"a":' });
    expect(plan.errors(decoded).map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([
      '/traits/x json',
    ]);
  });
});
