import fc from 'fast-check';
import { compileSchema } from '../compile-schema.js';
import { type DecodeOptions, type JsonValue } from '../model/form-decoder.types.js';
import { booleanOf, isMultipleOf, losesDigits, numberOf } from '../read/scalar-text.js';

/** The value of one property, sent once or several times. */
function convert(
  schema: JsonValue,
  texts: string[],
  options?: DecodeOptions,
): JsonValue | undefined {
  const plan = compileSchema({
    properties: { traits: { type: 'object', properties: { x: schema } } },
  });
  const { value } = plan.decode({ 'traits.x': texts }, options);
  return (value['traits'] as { x?: JsonValue }).x;
}

describe('white space around a text', () => {
  const formats = ['email', 'uri', 'uri-reference', 'hostname', 'date', 'time', 'date-time'];

  it.each([...formats, 'idn-email', 'url', 'iri'])('does not count in a %s', (format) => {
    const schema = { type: 'string', format };
    const sample = format.includes('time') ? '2026-01-31T13:05:00Z' : 'a.example';
    const text = format === 'time' ? '13:05:00Z' : sample;
    expect(convert(schema, [` \t${text}\r\n`])).toBe(text);
    expect(convert(schema, ['  ', text])).toBe(text);
    expect(convert(schema, ['  '])).toBeUndefined();
    const plan = compileSchema({
      properties: { traits: { type: 'object', properties: { x: schema, y: { items: schema } } } },
    });
    const traits = { x: ` ${text} `, y: [` ${text}`] };
    expect(plan.decodeJson({ traits }).value).toEqual({ traits: { x: text, y: [text] } });
    expect(plan.decodeJson({ 'traits.x': ` ${text} ` }).value).toEqual({ traits: { x: text } });
  });

  it.each<JsonValue>([{ type: 'string' }, { type: 'string', format: 'tel' }])(
    'stays in %j',
    (schema) => {
      expect(convert(schema, [' a '])).toBe(' a ');
    },
  );
});

describe('numbers', () => {
  it.each<[string, number]>([
    ['5', 5],
    ['-5', -5],
    ['+5', 5],
    ['05', 5],
    ['5.0', 5],
    ['.5', 0.5],
    ['5.', 5],
    ['1e3', 1000],
    ['1E-3', 0.001],
    ['-0', 0],
    ['1e21', 1e21],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ])('%s is %d', (text, value) => {
    expect(numberOf(text, false)).toBe(value);
  });

  it.each(
    ['', '.', '-', '1_000', '1,000', '0x10', '0x1p-2', 'Infinity', 'inf', 'NaN', 'null', '1e400']
      .concat(['-1e400', '9007199254740993', '123456789012345678901234567890', '1e', 'e5', '--1'])
      .concat(['٣', '1 2', '5%', '1.2.3']),
  )('%s is none', (text) => {
    expect(numberOf(text, false)).toBeUndefined();
  });

  it.each<[string, number | undefined]>([
    ['5.0', 5],
    ['1e3', 1000],
    ['5.5', undefined],
    ['1e-7', undefined],
    ['1e21', undefined],
    ['9007199254740992', undefined],
    ['-9007199254740991', -Number.MAX_SAFE_INTEGER],
  ])('as a whole number %s is %s', (text, value) => {
    expect(numberOf(text, true)).toBe(value);
  });

  it('come back from the text that JavaScript writes', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const isLarge = Math.abs(value) > Number.MAX_SAFE_INTEGER && !String(value).includes('e');
        const isLong = isLarge && !/^-?\d{1,15}0*$/.test(String(value));
        expect(numberOf(String(value), false)).toBe(isLong ? undefined : value === 0 ? 0 : value);
      }),
    );
  });

  it('are distinguished from texts if they only have too many digits', () => {
    expect(losesDigits('9007199254740993', true)).toBe(true);
    expect(losesDigits(' 1e21 ', true)).toBe(true);
    expect(losesDigits('1e21', false)).toBe(false);
    expect(losesDigits('1e400', false)).toBe(false);
    expect(losesDigits('abc', true)).toBe(false);
  });

  it.each([
    [5.0000000001, 1, false],
    [0.3, 0.1, true],
    [0.30000000000000004, 0.1, false],
    [4.35, 0.01, true],
    [1e308, 0.5, true],
    [1e308, 0.123456789, false],
    [-7.5, 2.5, true],
    [9007199254740991, 2, false],
    [0, 0.7, true],
    [1e-7, 1e-8, true],
    [1.5e300, 1e-300, true],
  ])('%d is a multiple of %d as written: %j', (value, base, expected) => {
    expect(isMultipleOf(value, base)).toBe(expected);
  });

  it('are refused in time linear in the text', () => {
    const start = performance.now();
    for (const text of ['1'.repeat(65_000), `${'1'.repeat(65_000)}x`, `1e${'1'.repeat(65_000)}x`]) {
      expect(numberOf(text, true)).toBeUndefined();
    }
    expect(performance.now() - start).toBeLessThan(3000);
  });
});

describe('booleans', () => {
  it.each(['1', 't', 'T', 'TRUE', 'true', 'True', 'on'])('%s is true', (text) => {
    expect(booleanOf(text)).toBe(true);
  });
  it.each(['0', 'f', 'F', 'FALSE', 'false', 'False', 'off'])('%s is false', (text) => {
    expect(booleanOf(text)).toBe(false);
  });
  it.each(['', 'tRUE', 'yes', 'no', '2', 'null', 'ON'])('%s is neither', (text) => {
    expect(booleanOf(text)).toBeUndefined();
  });
});

describe('a text and its type', () => {
  it.each<[string, JsonValue, string[], JsonValue | undefined]>([
    ['a string is taken as sent', { type: 'string' }, [' 1 '], ' 1 '],
    ['CR LF becomes LF', { type: 'string' }, ['a\r\nb\rc'], 'a\nb\rc'],
    ['a blank string is missing', { type: 'string' }, [''], undefined],
    ['the first string that is not blank wins', { type: 'string' }, ['', 'a', 'b'], 'a'],
    ['numbers are trimmed', { type: 'integer' }, [' 5 '], 5],
    ['a blank number is missing', { type: 'number' }, ['  '], undefined],
    ['the first number wins', { type: 'number' }, ['', '1', '2'], 1],
    ['what is no number stays text', { type: 'number' }, ['abc'], 'abc'],
    ['booleans are trimmed', { type: 'boolean' }, [' true '], true],
    ['the last boolean wins', { type: 'boolean' }, ['false', 'true'], true],
    ['the last boolean wins, in either value', { type: 'boolean' }, ['true', 'false'], false],
    ['the last boolean that is not blank', { type: 'boolean' }, ['true', ''], true],
    ['what is no boolean stays text', { type: 'boolean' }, ['tRUE'], 'tRUE'],
    ['a type list of one', { type: ['string'] }, ['1'], '1'],
    ['nullable integer', { type: ['integer', 'null'] }, ['7'], 7],
    ['string before integer', { type: ['string', 'integer', 'null'] }, ['5'], '5'],
    ['integer before string', { type: ['integer', 'string'] }, ['5'], 5],
    ['integer before string, no integer', { type: ['integer', 'string'] }, ['x'], 'x'],
    ['boolean or number', { type: ['boolean', 'number'] }, ['2.5'], 2.5],
    ['integer and number', { type: ['integer', 'number'] }, ['2.5'], 2.5],
    ['no type keeps the text', {}, ['5'], '5'],
    ['true keeps the text', true, ['5'], '5'],
    ['not keeps the text', { not: { type: 'integer' } }, ['5'], '5'],
    ['null keeps the text', { type: 'null' }, ['null'], 'null'],
    ['enum of numbers', { enum: [1, 2] }, ['2'], 2],
    ['enum with an object: a text', { enum: [{ a: 1 }, 'b'] }, ['b'], 'b'],
    ['enum with an object: its JSON', { enum: [{ a: 1 }, 'b'] }, ['{"a":1}'], { a: 1 }],
    ['enum with a list: a text', { enum: [['a'], 'b', null] }, ['b'], 'b'],
    ['enum with a list: null', { enum: [['a'], 'b', null] }, ['null'], null],
    ['enum with an object, typed', { type: ['object', 'string'], enum: [{}, 'b'] }, ['b'], 'b'],
    ['enum of numbers in another spelling', { enum: [1, 2.5] }, ['1.0'], 1],
    ['enum of several types', { enum: ['auto', 1, true] }, ['true'], true],
    ['enum of several types: text', { enum: ['auto', 1, true] }, ['auto'], 'auto'],
    ['enum that looks alike: the first', { enum: ['1', 1] }, ['1'], '1'],
    ['enum: what is no member stays text', { enum: [1, 2] }, ['x'], 'x'],
    ['enum of a type list: a number', { type: ['string', 'integer'], enum: [1, 'a'] }, ['1'], 1],
    ['enum of a type list: a text', { type: ['string', 'integer'], enum: [1, 'a'] }, ['a'], 'a'],
    [
      'enum of a type list: true',
      { type: ['string', 'boolean'], enum: ['x', true] },
      ['true'],
      true,
    ],
    [
      'enum of a type list: null',
      { type: ['string', 'integer', 'null'], enum: [1, null] },
      ['null'],
      null,
    ],
    ['const of a type list', { type: ['string', 'integer'], const: 5 }, ['5'], 5],
    [
      'titled members of a type list',
      { type: ['string', 'integer'], oneOf: [{ const: 1, title: 'One' }, { const: 'a' }] },
      ['1'],
      1,
    ],
    [
      'list of members of a type list',
      { type: 'array', items: { type: ['string', 'integer'], enum: [1, 'a'] } },
      ['1', 'a'],
      [1, 'a'],
    ],
    ['const true is a checkbox', { const: true }, ['false', 'true'], true],
    ['const true, ticked without a value', { const: true }, ['on'], true],
    ['const number', { const: 5 }, ['5'], 5],
    ['const null', { const: null }, ['null'], null],
    ['const string', { const: 'q' }, ['q'], 'q'],
    ['a typed enum converts by its type', { type: 'number', enum: [1, 2.5] }, ['1.0'], 1],
    ['the default says the type', { default: 3 }, ['5'], 5],
    ['a const object is JSON', { const: { a: [1] } }, ['{"a":[1]}'], { a: [1] }],
  ])('%s', (_, schema, texts, expected) => {
    const value = convert(schema, texts);
    expect(value === undefined ? undefined : JSON.parse(JSON.stringify(value))).toEqual(expected);
  });

  it.each<[string, JsonValue]>([
    ['integer', { type: ['integer', 'null'] }],
    ['string', { type: ['string', 'null'] }],
    ['boolean', { type: ['boolean', 'null'] }],
    ['anyOf', { anyOf: [{ type: 'integer' }, { type: 'null' }] }],
    ['enum', { enum: ['a', null] }],
    ['enum of a type list', { type: ['string', 'null'], enum: ['a', null] }],
    ['enum or null', { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] }],
    ['const or null', { type: ['string', 'null'], oneOf: [{ const: 'a' }, { type: 'null' }] }],
  ])('a blank nullable (%s) is null when asked, else missing', (_, schema) => {
    expect(convert(schema, [''])).toBeUndefined();
    expect(convert(schema, [''], { emptyNullable: 'null' })).toBeNull();
  });

  it('a blank that may not be null is missing in either case', () => {
    expect(convert({ type: 'integer' }, [''], { emptyNullable: 'null' })).toBeUndefined();
    expect(convert({ type: 'string' }, [''], { emptyNullable: 'null' })).toBeUndefined();
    const choices = { oneOf: [{ const: 'a' }, { const: 'b' }] };
    const others: Record<string, JsonValue>[] = [
      { enum: ['a'] },
      { const: 'a' },
      choices,
      { type: 'string', enum: ['a', null] },
    ];
    for (const other of others) {
      const schema: JsonValue = { type: ['string', 'null'], ...other };
      expect(convert(schema, [''], { emptyNullable: 'null' })).toBeUndefined();
    }
  });
});
