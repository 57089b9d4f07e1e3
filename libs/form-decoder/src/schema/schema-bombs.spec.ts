import { compileSchema } from '../compile-schema.js';
import { SchemaError } from '../model/form-decoder.errors.js';
import { type JsonValue } from '../model/form-decoder.types.js';
import { checkEntriesOf } from '../../test/kitchen-sink.js';

const text = { type: 'string' };

describe('a schema that is a bomb', () => {
  const refusal = (schema: JsonValue): string | undefined => {
    const start = performance.now();
    try {
      compileSchema(schema);
      return undefined;
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error;
      return error.faults[0]?.code;
    } finally {
      expect(performance.now() - start).toBeLessThan(5000);
    }
  };
  const traits = (properties: JsonValue): JsonValue => ({ type: 'object', properties });
  const chain = (length: number, body: (next: JsonValue) => JsonValue): JsonValue =>
    Object.fromEntries(
      Array.from({ length }, (_, index) => [
        `d${index}`,
        index === length - 1 ? text : body({ $ref: `#/definitions/d${index + 1}` }),
      ]),
    );
  const rows = (properties: JsonValue): JsonValue => ({
    type: 'array',
    minItems: 1000,
    items: traits(properties),
  });
  const start = { $ref: '#/definitions/d0' };

  it.each<[string, JsonValue, string]>([
    [
      'doubles at every reference',
      {
        definitions: chain(30, (n) => ({ oneOf: [n, n] })),
        properties: { traits: traits({ x: start }) },
      },
      'schema.cost',
    ],
    [
      'doubles in allOf',
      {
        definitions: chain(30, (n) => ({ allOf: [n, n] })),
        properties: { traits: traits({ x: start }) },
      },
      'schema.cost',
    ],
    [
      'doubles at every level of itself',
      {
        definitions: {
          n: {
            type: 'object',
            properties: {
              c: { anyOf: [{ $ref: '#/definitions/n' }, { $ref: '#/definitions/n' }] },
            },
          },
        },
        properties: { traits: traits({ x: { $ref: '#/definitions/n' } }) },
      },
      'schema.cost',
    ],
    [
      'applies itself to itself',
      {
        definitions: { n: { allOf: [{ $ref: '#/definitions/n' }] } },
        properties: { traits: traits({ x: { $ref: '#/definitions/n' } }) },
      },
      'schema.cycle',
    ],
    [
      'refers to itself',
      {
        definitions: { n: { $ref: '#/definitions/n' } },
        properties: { traits: traits({ x: { $ref: '#/definitions/n' } }) },
      },
      'schema.cycle',
    ],
    [
      'has a long chain of references',
      {
        definitions: chain(4000, (n) => ({ properties: { a: n } })),
        properties: { traits: traits({ x: start }) },
      },
      'schema.properties',
    ],
    [
      'is deep',
      JSON.parse(`${'{"not":'.repeat(100)}{}${'}'.repeat(100)}`) as JsonValue,
      'schema.depth',
    ],
    [
      'is large',
      { description: 'x'.repeat(300_000), properties: { traits: traits({}) } },
      'schema.size',
    ],
    [
      'has too many properties',
      {
        properties: {
          traits: traits(
            Object.fromEntries(Array.from({ length: 2001 }, (_, i) => [`p${i}`, true])),
          ),
        },
      },
      'schema.properties',
    ],
    [
      'has a pattern that repeats too much',
      { properties: { traits: traits({ x: { pattern: '(a{1,900}){2}' } }) } },
      'schema.pattern',
    ],
    [
      'has large patterns',
      {
        properties: {
          traits: traits(
            Object.fromEntries(
              Array.from({ length: 300 }, (_, i) => [`p${i}`, { pattern: `[a-z]{${i + 100}}` }]),
            ),
          ),
        },
      },
      'schema.pattern',
    ],
    [
      'requires itself three times',
      {
        definitions: {
          d0: {
            type: 'object',
            properties: { a: start, b: start, c: start },
            required: ['a', 'b', 'c'],
          },
        },
        properties: { traits: traits({ x: start }) },
      },
      'schema.cost',
    ],
    [
      'has a form whose alternatives meet in ever new combinations',
      {
        definitions: Object.fromEntries(
          Array.from({ length: 7 }, (_, i) => [
            `d${i}`,
            traits(
              Object.fromEntries(
                [i + 1, 2 * i, 3 * i + 1].map((next, name) => [
                  `p${name}`,
                  { $ref: `#/definitions/d${next % 7}` },
                ]),
              ),
            ),
          ]),
        ),
        properties: { traits: traits({ x: { anyOf: [start, { $ref: '#/definitions/d1' }] } }) },
      },
      'schema.cost',
    ],
    [
      'has a form that doubles with every level',
      {
        definitions: chain(20, (n) => ({ type: 'object', properties: { a: n, b: n } })),
        properties: { traits: traits({ x: start }) },
      },
      'schema.cost',
    ],
    [
      'has a form that begins with rows within rows',
      {
        properties: { traits: traits({ x: rows({ r: rows({ a: text }) }) }) },
      },
      'schema.cost',
    ],
    [
      'has too many alternatives',
      { properties: { traits: traits({ x: { anyOf: new Array(600).fill({ minLength: 3 }) } }) } },
      'schema.cost',
    ],
  ])('(%s) is refused', (_, schema, code) => {
    expect(refusal(schema)).toBe(code);
  });

  it.each<[string, JsonValue]>([
    [
      '2,000 properties',
      {
        properties: {
          traits: traits(
            Object.fromEntries(
              Array.from({ length: 1999 }, (_, i) => [`p${i}`, { type: 'integer', minimum: i }]),
            ),
          ),
        },
      },
    ],
    [
      '400 titled alternatives',
      {
        properties: {
          traits: traits({
            x: {
              oneOf: Array.from({ length: 400 }, (_, i) => ({ const: `c${i}`, title: `C ${i}` })),
            },
          }),
        },
      },
    ],
    [
      '200 chained definitions',
      {
        definitions: chain(200, (n) => ({ type: 'object', properties: { a: n } })),
        properties: { traits: traits({ x: start }) },
      },
    ],
    [
      '10,000 allowed values',
      {
        properties: {
          traits: traits({ x: { enum: Array.from({ length: 10_000 }, (_, i) => i) } }),
        },
      },
    ],
  ])('(%s) is not, and works', (_, schema) => {
    expect(refusal(schema)).toBeUndefined();
    const large = compileSchema(schema);
    const before = performance.now();
    checkEntriesOf(large, [
      ['traits.p7', '9'],
      ['traits.x', 'c7'],
      ['traits.x.a.a.a', '1'],
    ]);
    expect(performance.now() - before).toBeLessThan(5000);
  });
});
