import { compileSchema } from '../compile-schema.js';
import { SchemaError } from '../model/form-decoder.errors.js';
import { type FormEntry, type JsonValue } from '../model/form-decoder.types.js';
import { decodeTraits as decode, integer, list, object, text } from '../../test/decode-traits.js';
import { formOf } from '../../test/forms.js';

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

describe('names with line breaks and control characters', () => {
  const rows = { type: 'array', items: { type: 'object', properties: { 'k\r': {} } } };
  const properties = { 'a\nb': {}, 'c\rd': {}, 'e\r\nf': {}, 'l\ni': list, 'r\n': rows };
  const others = { 'tab\tx': {}, '\u0001': {}, '\u007f': {}, '\u2028': {}, 'x\n.y': {} };

  it('are found as they are, and as browsers send them', () => {
    const schema = { ...properties, ...others };
    const browser = (name: string) => name.replace(/\r\n?|\n/g, '\r\n');
    for (const as of [(name: string) => name, browser]) {
      const names = ['a\nb', 'c\rd', 'e\r\nf', ...Object.keys(others)];
      const fields = names.map((name): [string, string] => [
        as(`traits.${name.replace('.', '\\.')}`),
        'x',
      ]);
      fields.push([as('traits.l\ni[]'), '1'], [as('traits.l\ni[]'), '2']);
      fields.push([as('traits.r\n.0.k\r'), 'y']);
      const result = decode(schema, fields);
      expect(result).toMatchObject({ ignored: [], errors: [] });
      const plain = Object.fromEntries(names.map((name) => [name, 'x']));
      expect(result.traits).toEqual({ ...plain, 'l\ni': [1, 2], 'r\n': [{ 'k\r': 'y' }] });
    }
  });

  it('keep their rows when a page is shown again', () => {
    const sent: FormEntry[] = [
      ['traits.r\r\n.0', ''],
      ['traits.r\r\n.1', ''],
    ];
    const form = formOf(properties, undefined, { sent });
    expect(form.nodes.at(-1)).toMatchObject({ name: 'traits.r\n', rows: [{}, {}] });
  });

  it.each([[['a\nb', 'a\rb']], [['a\r\nb', 'a\nb']], [['a\u0000b']], [['a\ud800']]])(
    'are refused in a schema where forms cannot send them: %j',
    (names) => {
      const schema = Object.fromEntries(names.map((name) => [name, {}]));
      expect(() => decode(schema, '')).toThrow(SchemaError);
      expect(() => decode(schema, '', { isRegistered: true })).not.toThrow();
    },
  );
});

describe('brackets after a name that no schema lists', () => {
  const texts = { type: 'array', items: text };
  const table = { type: 'array', items: texts };
  const records = { type: 'array', items: object({ a: text }) };
  const open = (schema: JsonValue): JsonValue => ({ type: 'object', additionalProperties: schema });
  const matched = { type: 'object', patternProperties: { '^[a-z]+$': texts } };
  const listed = { type: 'object', properties: { 'tags[]': text }, additionalProperties: texts };
  const cases: [string, JsonValue, string, JsonValue][] = [
    ['additionalProperties', open(texts), 'tags[]=p&tags[]=q', { tags: ['p', 'q'] }],
    ['an index', open(texts), 'tags[0]=p&tags[1]=q', { tags: ['p', 'q'] }],
    ['rows', open(records), 'tags[0].a=p', { tags: [{ a: 'p' }] }],
    ['lists of lists', open(table), 'tags[0][0]=p', { tags: [['p']] }],
    ['alternatives', open({ oneOf: [integer, texts] }), 'tags[]=p', { tags: ['p'] }],
    ['patternProperties', matched, 'tags[]=p', { tags: ['p'] }],
    ['a listed name', listed, 'tags[]=p', { 'tags[]': 'p' }],
    ['texts', open(text), 'tags[]=p', { 'tags[]': 'p' }],
    ['a free object', { type: 'object' }, 'tags[0]=p', { 'tags[0]': 'p' }],
  ];

  it.each(cases)('lead into lists by the schema: %s', (_name, schema, sent, value) => {
    const fields = sent.replaceAll(/(^|&)/g, '$1traits.x.');
    expect(decode({ x: schema }, fields)).toMatchObject({ traits: { x: value }, errors: [] });
  });

  it('do not lead to a prototype', () => {
    const { traits } = decode({ x: open(texts) }, 'traits.x.__proto__[]=p');
    expect(Object.keys((traits as { x: object }).x)).toEqual(['__proto__[]']);
  });
});
