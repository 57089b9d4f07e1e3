import fc from 'fast-check';
import { compileSchema } from './compile-schema.js';
import { SchemaError } from './form-decoder.errors.js';
import type { FormEntry, FormPlan, JsonObject, JsonValue } from './form-decoder.types.js';
import { parseUrlencoded } from './urlencoded.reader.js';

/** Nothing that a person sends, and no schema that an operator registers, may hurt the process. */

const text = { type: 'string' };
const integer = { type: 'integer' };
const kitchenSink: JsonObject = {
  definitions: {
    n: {
      type: 'object',
      properties: { v: integer, c: { $ref: '#/definitions/n' } },
      required: ['c'],
    },
  },
  properties: {
    traits: {
      type: 'object',
      properties: {
        s: { type: 'string', maxLength: 5, pattern: '^(a|a)*$' },
        l: { type: 'array', items: integer, uniqueItems: true },
        p: { type: 'array', items: { type: 'object', properties: { k: text }, required: ['k'] } },
        o: { type: 'object', properties: { a: integer }, required: ['a'] },
        n: { $ref: '#/definitions/n' },
        u: {
          oneOf: [
            {
              type: 'object',
              properties: { kind: { const: 'a' }, x: integer },
              required: ['kind'],
            },
            { type: 'array', items: { anyOf: [integer, { type: 'boolean' }] } },
            text,
          ],
        },
        free: { type: 'object' },
        t: { type: 'array', items: [text, { $ref: '#/definitions/n' }] },
        e: { enum: ['a', 1, null, { b: [2] }] },
        '5': { type: ['integer', 'null', 'object'] },
      },
      patternProperties: { '^q': { type: ['number', 'null'] } },
      additionalProperties: { type: 'boolean' },
      if: { properties: { s: { const: 'aaa' } }, required: ['s'] },
      then: { required: ['o'], properties: { vat: integer } },
      dependencies: { l: { properties: { dep: integer } } },
    },
  },
};
const plan = compileSchema(kitchenSink);

const segment = fc.oneof(
  fc.constantFrom(
    'traits',
    's',
    'l',
    'p',
    'o',
    'n',
    'u',
    'free',
    't',
    'e',
    '5',
    'q1',
    'c',
    'v',
    'k',
    'a',
  ),
  fc.constantFrom(
    'kind',
    'x',
    'vat',
    'dep',
    '0',
    '1',
    '01',
    '99',
    '[]',
    '[0]',
    '',
    '__proto__',
    'toString',
  ),
  fc.string({ maxLength: 4 }),
);
const name = fc
  .tuple(
    fc.boolean(),
    fc.array(segment, { maxLength: 20 }),
    fc.constantFrom('', '[]', '[0]', '[1][2]', '\\'),
  )
  .map(
    ([inTraits, parts, suffix]) => [...(inTraits ? ['traits'] : []), ...parts].join('.') + suffix,
  );
const value = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '0',
    '5',
    'on',
    'false',
    'aaa',
    'a',
    'null',
    '{}',
    '[]',
    '{"a":1}',
    '[{"k":1}]',
  ),
  fc.constantFrom(
    '{"a":1,"a":2}',
    '{"__proto__":1}',
    '['.repeat(50),
    '1e999',
    '\u0000',
    '\ud800',
    '{"kind":"a"}',
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
);

function check(target: FormPlan, entries: FormEntry[]): void {
  const decoded = target.decode(entries, { useDefaults: true, emptyNullable: 'null' });
  const errors = target.errors(decoded);
  const again = target.decode(entries, { useDefaults: true, emptyNullable: 'null' });
  // Deterministic, and fit to be sent and shown again.
  expect(JSON.stringify(again)).toBe(JSON.stringify(decoded));
  target.form(decoded.value, errors, { language: 'de' });
  target.identifiersOf(decoded.value);
  expect(({} as Record<string, unknown>)['x']).toBeUndefined();
}

describe('decoding what is hostile', () => {
  it('never throws and never guesses, whatever the names and values', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value), { maxLength: 12 }), (entries) =>
        check(plan, entries),
      ),
      { numRuns: 3000 },
    );
  });

  it('never throws on any JSON', () => {
    const members = fc.dictionary(name, fc.oneof(value, fc.jsonValue()));
    fc.assert(
      fc.property(fc.oneof(members, fc.jsonValue(), fc.anything()), (json) => {
        plan.errors(plan.decodeJson(json));
      }),
      { numRuns: 2000 },
    );
  });

  it('never throws on any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const body = `traits.${Buffer.from(bytes).toString('latin1')}`;
        check(plan, parseUrlencoded(body));
      }),
    );
  });

  it('validates any value at all', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.record({ traits: fc.jsonValue() })), (any) => {
        for (const error of plan.validate(any)) expect(error.message).not.toBe('');
      }),
      { numRuns: 1000 },
    );
    let deep: JsonValue = 1;
    for (let index = 0; index < 100_000; index += 1) deep = { c: deep };
    expect(plan.validate({ traits: { n: deep } })).toMatchObject([{ code: 'limit.depth' }]);
    expect(plan.decodeJson({ traits: { n: deep } }).conflicts).toMatchObject([
      { code: 'limit.depth' },
    ]);
  });
});

/** How much longer ten times the input takes; the best of several runs, so that noise counts less. */
function growth(run: (size: number) => () => void, size: number): number {
  const time = (work: () => void): number => {
    let best = Infinity;
    for (let round = 0; round < 7; round += 1) {
      const start = performance.now();
      work();
      best = Math.min(best, performance.now() - start);
    }
    return best;
  };
  const small = run(size);
  const large = run(size * 10);
  small();
  large();
  return time(large) / time(small);
}

describe('time', () => {
  const wide = compileSchema(kitchenSink, {
    limits: { fieldsMax: 100_000, rowsMax: 100_000, valueBytesMax: 1_000_000 },
  });
  const repeated = (entry: (index: number) => FormEntry) => (size: number) => {
    const entries = Array.from({ length: size }, (_, index) => entry(index));
    return () => void wide.errors(wide.decode(entries));
  };

  it.each<[string, (index: number) => FormEntry]>([
    ['values of one list', () => ['traits.l', '1']],
    ['values of one list, all different', (index) => ['traits.l[]', String(index)]],
    ['entries by index', (index) => [`traits.l.${index}`, String(index)]],
    ['rows', (index) => [`traits.p.${index}.k`, 'x']],
    ['values below a union', (index) => [`traits.u.${index}`, '1']],
    ['members of an open object', (index) => [`traits.free.m${index}`, '1']],
    ['names without a place', (index) => [`x${index}`, '1']],
    ['contradictions', (index) => [`traits.o${index % 2 === 0 ? '' : '.a'}`, '{"a":1}']],
  ])('grows in line with the number of %s', (_, entry) => {
    expect(growth(repeated(entry), 990)).toBeLessThan(25);
  });

  it('grows in line with the length of names and values', () => {
    const run = (entry: (size: number) => FormEntry) => (size: number) => {
      const entries = [entry(size)];
      return () => void wide.errors(wide.decode(entries));
    };
    expect(
      growth(
        run((size) => [`traits${'.n'.repeat(size)}`, '1']),
        2000,
      ),
    ).toBeLessThan(25);
    expect(
      growth(
        run((size) => [`traits.l${'[0]'.repeat(size)}`, '1']),
        2000,
      ),
    ).toBeLessThan(25);
    expect(
      growth(
        run((size) => ['traits.o', `{"a":${'['.repeat(size)}`]),
        2000,
      ),
    ).toBeLessThan(25);
    expect(
      growth(
        run((size) => ['traits.s', `${'a'.repeat(size)}!`]),
        10_000,
      ),
    ).toBeLessThan(25);
  });

  it('of a pattern that explodes in a backtracking engine stays short', () => {
    const start = performance.now();
    const errors = plan.errors(plan.decode({ 'traits.s': `${'a'.repeat(60_000)}!` }));
    expect(errors.map(({ code }) => code)).toContain('pattern');
    expect(performance.now() - start).toBeLessThan(300);
  });
});

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
      expect(performance.now() - start).toBeLessThan(2000);
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
    check(large, [
      ['traits.p7', '9'],
      ['traits.x', 'c7'],
      ['traits.x.a.a.a', '1'],
    ]);
    expect(performance.now() - before).toBeLessThan(1000);
  });
});
