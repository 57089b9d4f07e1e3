import { compileSchema } from '../compile-schema.js';
import { decodeTraits as decode, integer, object, text } from '../../test/decode-traits.js';

describe('names', () => {
  it('are the dotted path of the property, exactly', () => {
    const properties = { address: object({ city: text }), a: text };
    const result = decode(properties, 'traits.address.city=B&Traits.a=1&traits.A=2&.traits.a=3');
    expect(result.traits).toEqual({ address: { city: 'B' } });
    expect(result.ignored).toEqual(['Traits.a', 'traits.A', '.traits.a']);
  });

  it('that have no place are listed, each once, in the order in which they came', () => {
    const result = decode(
      { a: text, o: { oneOf: [object({ x: text })] } },
      'csrf_token=1&traits.o.y=2&method=3&traits.b=4&method=5&traits.a=6&=7&traits.a.b=8',
    );
    expect(result.traits).toEqual({ a: '6' });
    expect(result.ignored).toEqual([
      'csrf_token',
      'traits.o.y',
      'method',
      'traits.b',
      '',
      'traits.a.b',
    ]);
  });

  it('outside the traits have no place, whatever the schema says', () => {
    const plan = compileSchema({
      properties: { password: text, traits: { type: 'object', properties: { a: text } } },
    });
    const { value, ignored } = plan.decode({ password: 'x', 'traits.a': 'b' });
    expect(value).toEqual({ traits: { a: 'b' } });
    expect(ignored).toEqual(['password']);
  });

  it('may hold dots and backslashes when they are escaped', () => {
    const properties = { 'a.b': text, a: object({ b: integer }), 'c\\': text };
    expect(
      decode(properties, { 'traits.a\\.b': 'x', 'traits.a.b': '5', 'traits.c\\\\': 'y' }).traits,
    ).toEqual({
      'a.b': 'x',
      a: { b: 5 },
      'c\\': 'y',
    });
    expect(decode({ 'a.b': text }, { 'traits.a.b': 'x' }).ignored).toEqual(['traits.a.b']);
  });

  it.each([
    '5',
    '-1',
    'a*',
    'a?',
    '#',
    '@this',
    '{a}',
    'a"b',
    'a/b',
    'a~b',
    '名',
    'a[0]',
    ' ',
    'toString',
  ])('may be %j like any other', (name) => {
    const result = decode({ [name]: text, z: text }, { [`traits.${name}`]: 'x', 'traits.z': 'y' });
    expect(result.traits).toEqual({ [name]: 'x', z: 'y' });
    expect(result.errors).toEqual([]);
  });

  it('that reach a prototype are ignored and change nothing', () => {
    const result = decode(
      { a: text, free: { type: 'object' }, open: { type: 'object', additionalProperties: text } },
      'traits.__proto__.x=1&__proto__.x=1&constructor.prototype.x=1&traits.a=q' +
        '&traits.free.__proto__=1&traits.open.constructor=2&traits.open.prototype.x=3',
    );
    expect(result.traits).toEqual({ a: 'q' });
    expect(result.ignored).toHaveLength(6);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('reach members of open objects by pattern, additionalProperties, or freely', () => {
    const properties = {
      byPattern: { type: 'object', patternProperties: { '^n_': integer } },
      byRest: { type: 'object', properties: { s: text }, additionalProperties: integer },
      free: { type: 'object' },
      closed: { type: 'object', additionalProperties: false },
      declared: object({ s: text }),
    };
    const result = decode(properties, {
      'traits.byPattern.n_a': '1',
      'traits.byPattern.m': '2',
      'traits.byRest.x': '3',
      'traits.byRest.s': '4',
      'traits.free.x': '5',
      'traits.closed.x': '6',
      'traits.declared.x': '7',
    });
    expect(result.traits).toEqual({
      byPattern: { n_a: 1 },
      byRest: { x: 3, s: '4' },
      free: { x: '5' },
    });
    expect(result.ignored).toEqual(['traits.byPattern.m', 'traits.closed.x', 'traits.declared.x']);
  });
});
