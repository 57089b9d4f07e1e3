import { compileSchema } from '../compile-schema.js';
import { type JsonObject, type JsonValue } from '../model/form-decoder.types.js';
import { parseJson } from '../read/json.reader.js';
import { integer, object, rows, text } from '../../test/decode-traits.js';

const plan = compileSchema({
  properties: {
    traits: object({
      s: text,
      b: { type: 'boolean' },
      i: integer,
      n: { type: ['integer', 'null'] },
      a: { type: 'array', items: text },
      p: rows,
      o: object({ k: integer, t: text }),
      free: { type: 'object', additionalProperties: true },
      any: {},
      role: { type: 'string', readOnly: true },
      u: {
        oneOf: [
          object({ kind: { const: 'x' }, v: integer }),
          object({ kind: { const: 'y' }, v: text }),
        ],
      },
    }),
  },
});

function decode(json: unknown): { traits: unknown; ignored: string[]; errors: string[] } {
  const decoded = plan.decodeJson(json);
  const { traits } = JSON.parse(JSON.stringify(decoded.value)) as { traits: JsonValue };
  const errors = plan.errors(decoded).map(({ pointer, code }) => `${pointer} ${code}`);
  return { traits, ignored: decoded.ignored, errors };
}

/** Expects a number to mean the same in a form, under a dotted name, nested, and in JSON text. */
function expectSame(
  schema: JsonValue,
  number: string,
  value: unknown,
  code: string | undefined,
): void {
  const properties = { x: schema, o: object({ x: schema }) };
  const one = compileSchema({ properties: { traits: object(properties) } });
  const json = (text: string) => one.decodeJson(parseJson(text));
  for (const [place, decoded] of [
    ['x', one.decode({ 'traits.x': number })],
    ['x', json(`{"traits.x":${number}}`)],
    ['x', json(`{"traits":{"x":${number}}}`)],
    ['o/x', one.decode({ 'traits.o': `{"x":${number}}` })],
  ] as const) {
    const codes = one.errors(decoded).map((error) => `${error.pointer} ${error.code}`);
    expect(codes).toEqual(code === undefined ? [] : [`/traits/${place} ${code}`]);
    const traits = decoded.value['traits'] as { x: unknown; o: { x: unknown } };
    if (code === undefined) expect(place === 'x' ? traits.x : traits.o.x).toBe(value);
  }
}

describe('JSON in form convention', () => {
  it.each<[string, unknown, unknown]>([
    [
      'dotted scalars convert like texts',
      { 'traits.s': 5, 'traits.b': 'true', 'traits.i': '7' },
      { s: '5', b: true, i: 7 },
    ],
    [
      'dotted lists convert their entries',
      { 'traits.a': ['x', 5, true] },
      { a: ['x', '5', 'true'] },
    ],
    ['an empty list is one', { 'traits.a': [] }, { a: [] }],
    ['dotted objects are taken as they are', { 'traits.o': { k: 3 } }, { o: { k: 3 } }],
    [
      'rows, by index or as a list',
      { 'traits.p.0.k': 'a', 'traits.p[1]': { k: 'b' } },
      { p: [{ k: 'a' }, { k: 'b' }] },
    ],
    ['a list of rows', { 'traits.p': [{ k: 'a' }, { n: 1 }] }, { p: [{ k: 'a' }, { n: 1 }] }],
    ['blank is missing', { 'traits.s': '', 'traits.i': '' }, {}],
    [
      'nested lists are not converted',
      { traits: { a: ['x'], p: [{ k: 'y' }] } },
      { a: ['x'], p: [{ k: 'y' }] },
    ],
    ['an empty object is one', { traits: { o: {} } }, { o: {} }],
    ['nested', { traits: { s: 'x', o: { k: 1 } } }, { s: 'x', o: { k: 1 } }],
    [
      'nested and dotted',
      { traits: { s: 'x', o: { k: 1 } }, 'traits.i': 5, 'traits.o.t': 'y' },
      { s: 'x', o: { k: 1, t: 'y' }, i: 5 },
    ],
    ['null for a nullable', { 'traits.n': null }, { n: null }],
    [
      'free members',
      { traits: { free: { a: [1, { b: null }] }, any: { c: 1 } } },
      { free: { a: [1, { b: null }] }, any: { c: 1 } },
    ],
    ['a union, dotted', { 'traits.u.kind': 'y', 'traits.u.v': 5 }, { u: { kind: 'y', v: '5' } }],
    ['a union, nested', { 'traits.u': { kind: 'x', v: 5 } }, { u: { kind: 'x', v: 5 } }],
    ['1e3 is an integer', { traits: { i: 1e3 } }, { i: 1000 }],
    ['nothing', {}, {}],
  ])('%s', (_, json, expected) => {
    expect(decode(json)).toMatchObject({ traits: expected, errors: [] });
  });

  it.each<[string, unknown, string[]]>([
    [
      'null where none belongs',
      { 'traits.s': null, 'traits.i': null },
      ['/traits/s type', '/traits/i type'],
    ],
    [
      'nested values are not converted',
      { traits: { s: 5, b: 'true', i: '5' } },
      ['/traits/s type', '/traits/b type', '/traits/i type'],
    ],
    ['an object where a text belongs', { 'traits.s': { a: 1 } }, ['/traits/s type']],
    ['a list where an object belongs', { 'traits.o': [1] }, ['/traits/o type']],
    ['numbers that lost digits, dotted', { 'traits.i': 2 ** 53 }, ['/traits/i number.precision']],
    [
      'numbers that lost digits, nested',
      { traits: { i: 2 ** 53 } },
      ['/traits/i number.precision'],
    ],
    ['the same member twice', { traits: { i: 1 }, 'traits.i': 2 }, ['/traits/i field.conflict']],
    [
      'the same member twice, dotted first',
      { 'traits.i': 5, traits: { i: 6 } },
      ['/traits/i field.conflict'],
    ],
    [
      'the same list twice, dotted first',
      { 'traits.a[]': 'x', traits: { a: ['y'] } },
      ['/traits/a field.conflict'],
    ],
    [
      'the same row twice, dotted first',
      { 'traits.p.0.k': 'x', traits: { p: [{ k: 'y' }] } },
      ['/traits/p field.conflict'],
    ],
    [
      'a member of what is no object',
      { traits: { o: null }, 'traits.o.k': 2 },
      ['/traits/o field.conflict'],
    ],
    ['a list', [], [' type']],
    ['null', null, [' type']],
    [
      'too deep',
      JSON.parse(`{"traits":${'{"free":'.repeat(20)}1${'}'.repeat(20)}}`),
      [`/traits${'/free'.repeat(15)} limit.depth`],
    ],
    ['a long text', { 'traits.s': 'é'.repeat(40_000) }, ['/traits/s limit.value']],
    ['a long name', { [`traits.${'x'.repeat(600)}`]: 1 }, [' limit.name']],
    ['a list twice', { traits: { a: ['x'] }, 'traits.a': ['y'] }, ['/traits/a field.conflict']],
    ['too much', { 'traits.a': new Array(1001).fill(1) }, [' limit.fields']],
  ])('%s is an error', (_, json, expected) => {
    expect(decode(json).errors.slice(0, expected.length)).toEqual(expected);
  });

  it.each<[string, string, unknown, string[]]>([
    ['{"traits.s":49123456789012345678}', 'dotted', { s: '49123456789012345678' }, []],
    ['{"traits.s":1e400}', 'dotted', { s: '1e400' }, []],
    ['{"traits.s":1.10}', 'dotted', { s: '1.10' }, []],
    ['{"traits.a":[1.0,12345678901234567890]}', 'a', { a: ['1.0', '12345678901234567890'] }, []],
    ['{"traits.p.0.k":1.50}', 'a row', { p: [{ k: '1.50' }] }, []],
    ['{"traits":{"s":49123456789012345678}}', 'nested', null, ['/traits/s number.precision']],
    ['{"traits":{"s":1e400}}', 'nested', null, ['/traits/s number.precision']],
    [
      '{"traits":{"a":[1,1e400]}}',
      'nested',
      null,
      ['/traits/a/0 type', '/traits/a/1 number.precision'],
    ],
    ['{"traits":{"any":1e400}}', 'nested', null, ['/traits/any number.precision']],
    [
      '{"traits":{"free":{"x":1,"x":9007199254740993}}}',
      'twice',
      null,
      ['/traits/free/x number.precision'],
    ],
  ])('%s keeps the digits or is an error: %s', (json, _, expected, errors) => {
    const result = decode(parseJson(json, { duplicates: 'last' }));
    expect([...result.errors].sort()).toEqual(errors);
    if (expected !== null) expect(result.traits).toEqual(expected);
  });

  it.each<[string, unknown, string | undefined]>([
    ['1e21', 1e21, undefined],
    ['1E+21', 1e21, undefined],
    ['1e23', 1e23, undefined],
    ['1000000000000000000000', 1e21, undefined],
    ['-123456789012345000', -123456789012345000, undefined],
    ['1234567890123456000', undefined, 'number.precision'],
    ['9007199254740992', undefined, 'number.precision'],
    ['9007199254740993', undefined, 'number.precision'],
    ['9007199254740993e0', undefined, 'number.precision'],
    ['900719925474099.35e1', undefined, 'number.precision'],
    ['1e-400', undefined, 'number.precision'],
    ['0e-400', 0, undefined],
    ['1e400', undefined, 'type'],
    ['0.10', 0.1, undefined],
  ])('%s is the same number as by a form', (number, value, code) => {
    expectSame({ type: 'number' }, number, value, code);
  });

  it.each<[string, unknown, string | undefined]>([
    ['9007199254740.91', 9007199254740.91, undefined],
    ['90071992547409.91', undefined, 'number.precision'],
    ['0.010000000000000000001', undefined, 'number.precision'],
    ['0.0100000000000000000000', 0.01, undefined],
    ['0.015', undefined, 'multipleOf'],
  ])('%s with multipleOf counts with all its digits', (number, value, code) => {
    expectSame({ type: 'number', multipleOf: 0.01 }, number, value, code);
    expectSame({ type: ['null', 'number'], multipleOf: 0.01 }, number, value, code);
  });

  it.each<[string, unknown, string | undefined]>([
    ['1e3', 1000, undefined],
    ['5.0', 5, undefined],
    ['1e21', undefined, 'number.precision'],
    ['1e-400', undefined, 'number.precision'],
    ['9007199254740993e0', undefined, 'number.precision'],
    ['4.0000000000000000001', undefined, 'number.precision'],
    ['9007199254740991.4', undefined, 'number.precision'],
    ['1e400', undefined, 'type'],
    ['5.5', undefined, 'type'],
  ])('%s is the same integer as by a form', (number, value, code) => {
    expectSame({ type: ['integer', 'null'] }, number, value, code);
  });

  it('lists what has no place and what a form may not write', () => {
    const json = JSON.parse(
      '{"foo":1,"traits.zzz":1,"traits":{"x":{"y":1},"role":"admin","o":{"z":1},"free":{"__proto__":{"p":1}}},"traits.role":"x","__proto__":{"p":1}}',
    ) as unknown;
    const result = decode(json);
    expect(result.traits).toEqual({ o: {}, free: {} });
    expect([...result.ignored].sort()).toEqual(
      [
        '__proto__',
        'foo',
        'traits.free.__proto__',
        'traits.o.z',
        'traits.role',
        'traits.x',
        'traits.zzz',
      ].sort(),
    );
    expect(({} as Record<string, unknown>)['p']).toBeUndefined();
  });
});

describe('defaults in JSON lists', () => {
  const row = object(
    { a: { type: 'integer', default: 5 }, b: text, o: object({ c: { default: 'q' } }) },
    ['a', 'o'],
  );
  const traits = object({
    r: { type: 'array', items: row },
    deep: object({ r: { type: 'array', items: row } }),
  });
  const lists = compileSchema({ properties: { traits } });
  const filled = [{ a: 5, b: '1', o: { c: 'q' } }];
  const sent = [{ b: '1' }];

  it('are the same as in rows of a form', () => {
    const decoded = [
      lists.decode({ 'traits.r.0.b': '1' }, { useDefaults: true }),
      lists.decode({ 'traits.r': JSON.stringify(sent) }, { useDefaults: true }),
      lists.decodeJson({ 'traits.r': sent }, { useDefaults: true }),
      lists.decodeJson({ traits: { r: sent } }, { useDefaults: true }),
    ];
    for (const { value } of decoded) expect(value).toEqual({ traits: { r: filled } });
  });

  it('hold for lists inside JSON of an object', () => {
    const fields = { 'traits.deep': JSON.stringify({ r: sent }) };
    const { value } = lists.decode(fields, { useDefaults: true });
    expect(value).toEqual({ traits: { deep: { r: filled } } });
    expect(lists.decode(fields).value).toEqual({
      traits: { deep: { r: [{ b: '1', o: {} }] } },
    });
  });
});

describe('JSON of a program that may write everything', () => {
  const plan = compileSchema({ properties: { traits: object({ n: { type: 'number' } }) } });
  const faults = (json: string) =>
    plan
      .takeJson(parseJson(json, { reserved: 'keep' }) as JsonObject)
      .faults.map(({ pointer, code }) => `${pointer} ${code}`);

  it('has no fault in ordinary values', () => {
    const json =
      '{"traits":{"name":"Zoë 🙂","n":1e22,"list":["a",1.5,9007199254740991,null,true],"deep":{"x":1e-7}}}';
    expect(faults(json)).toEqual([]);
    const value = parseJson(json) as JsonObject;
    expect(plan.takeJson(value).value).toEqual(value);
  });

  it('has faults where names are reserved and numbers lost digits', () => {
    const json =
      '{"traits":{"c/d":{"__proto__":1},"n":[1,9007199254740993],"constructor":1,"x":1e400}}';
    expect(faults(json)).toEqual([
      '/traits/c~1d json.reserved',
      '/traits/n/1 number.precision',
      '/traits json.reserved',
      '/traits/x number.precision',
    ]);
  });
});
