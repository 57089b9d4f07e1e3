import { compileSchema } from './compile-schema.js';
import { SchemaError } from './model/form-decoder.errors.js';
import { type SchemaFault } from './model/form-decoder.types.js';

const text = { type: 'string' };

const nearest = (name: string, known: Iterable<string>): string | undefined =>
  [...known].find((each) => each.toLowerCase() === name.toLowerCase());

function faultsOf(schema: unknown, options: object = { nearest }): SchemaFault[] {
  try {
    compileSchema(schema, options);
    return [];
  } catch (error) {
    if (error instanceof SchemaError) return [...error.faults];
    throw error;
  }
}
const briefly = (schema: unknown, options: object = { nearest }): string[] =>
  faultsOf(schema, options).map(({ pointer, code }) => `${pointer} ${code}`);
const withTraits = (properties: object, more: object = {}): object => ({
  properties: { traits: { type: 'object', properties } },
  ...more,
});

describe('compileSchema', () => {
  it.each<[string, unknown, string[]]>([
    ['no object', [], [' schema.type']],
    ['null', null, [' schema.type']],
    ['not JSON', { title: () => 1 }, ['/title schema.type']],
    [
      'another draft',
      { $schema: 'https://json-schema.org/draft/2020-12/schema' },
      ['/$schema schema.dialect'],
    ],
    [
      'no traits',
      { type: 'object', properties: { a: text } },
      ['/properties/traits schema.traits'],
    ],
    [
      'traits that are no object',
      { properties: { traits: text } },
      ['/properties/traits schema.traits'],
    ],
    [
      'an unknown type',
      withTraits({ a: { type: 'strnig' } }),
      ['/properties/traits/properties/a/type schema.invalid'],
    ],
    [
      'a negative length',
      withTraits({ a: { minLength: -1 } }),
      ['/properties/traits/properties/a/minLength schema.invalid'],
    ],
    [
      'a misspelt keyword',
      withTraits({ a: { minlength: 1 } }),
      ['/properties/traits/properties/a/minlength schema.keyword'],
    ],
    [
      'a remote reference',
      withTraits({ a: { $ref: 'https://example.com/a.json#/b' } }),
      ['/properties/traits/properties/a/$ref schema.ref'],
    ],
    [
      'a reference to a file',
      withTraits({ a: { $ref: 'file:///etc/passwd' } }),
      ['/properties/traits/properties/a/$ref schema.ref'],
    ],
    [
      'a reference to nothing',
      withTraits({ a: { $ref: '#/definitions/a' } }),
      ['/properties/traits/properties/a/$ref schema.ref'],
    ],
    [
      'a reference to what every object inherits',
      withTraits({ a: { $ref: '#/toString' } }),
      ['/properties/traits/properties/a/$ref schema.ref'],
    ],
    [
      'look-ahead',
      withTraits({ a: { pattern: '(?=a)' } }),
      ['/properties/traits/properties/a/pattern schema.pattern'],
    ],
    [
      'a broken pattern for names',
      withTraits({ a: { patternProperties: { '[': text } } }),
      ['/properties/traits/properties/a/patternProperties/[ schema.pattern'],
    ],
    [
      'what is no schema among "$defs"',
      { ...withTraits({ a: { $ref: '#/$defs/a' } }), $defs: { a: { minLength: -1 }, b: 5 } },
      ['/$defs/a/minLength schema.invalid', '/$defs/b schema.invalid'],
    ],
    [
      'an "$id" within',
      withTraits({ a: { $id: 'https://example.com/a' } }),
      ['/properties/traits/properties/a/$id schema.id'],
    ],
    ...(
      [
        ['x-order', '1'],
        ['x-identifier', 'true'],
        ['x-immutable', 1],
        ['x-i18n', 'Name'],
        ['x-i18n', { de: 'Name' }],
        ['x-i18n', { de: { title: 1 } }],
      ] as const
    ).map(([keyword, value]): [string, unknown, string[]] => [
      `${keyword}: ${JSON.stringify(value)}`,
      withTraits({ a: { [keyword]: value } }),
      [`/properties/traits/properties/a/${keyword} schema.keyword`],
    ]),
  ])('refuses %s', (_, schema, expected) => {
    expect(briefly(schema)).toEqual(expected);
  });

  it('refuses reserved names wherever they stand', () => {
    const schema = JSON.parse(
      '{"definitions":{"prototype":{}},"properties":{"traits":{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{}}}}}',
    ) as unknown;
    expect(briefly(schema)).toEqual([
      '/definitions/prototype schema.reserved_name',
      '/properties/traits/properties/__proto__ schema.reserved_name',
      '/properties/traits/properties/constructor schema.reserved_name',
    ]);
  });

  it('reports all faults at once, with messages', () => {
    const schema = withTraits({ a: { pattern: '(' }, b: { $ref: '#/x' }, c: { Pattern: 1 } });
    expect(faultsOf(schema)).toHaveLength(3);
    expect(() => compileSchema(schema, { nearest })).toThrow(/did you mean "pattern"/);
  });

  it.each(['readOnly', 'writeOnly', 'format', 'x-identifier', 'x-immutable', 'x-own'])(
    'refuses %s beside $ref, where draft-07 ignores it, and names allOf',
    (keyword) => {
      const value = keyword === 'format' ? 'email' : true;
      const schema = withTraits(
        { a: { $ref: '#/definitions/a', [keyword]: value } },
        {
          definitions: { a: text },
        },
      );
      const [fault, ...others] = faultsOf(schema);
      expect(others).toEqual([]);
      expect(fault?.pointer).toBe(`/properties/traits/properties/a/${keyword}`);
      expect(fault?.message).toContain('"allOf"');
      expect(faultsOf(schema, { isRegistered: true })).toEqual([]);
    },
  );

  it('warns of what has no effect', () => {
    const schema = withTraits(
      { a: { $ref: '#/definitions/a', title: 'A', $comment: 'c' }, b: { nullable: true } },
      { definitions: { a: text } },
    );
    expect(compileSchema(schema, { nearest }).warnings).toMatchObject([
      { pointer: '/properties/traits/properties/a/title', code: 'schema.ref' },
      { pointer: '/properties/traits/properties/b/nullable', code: 'schema.keyword' },
    ]);
  });

  it('warns of a number in names that may be an index or a property', () => {
    const list = { type: 'array', items: text };
    const object = { type: 'object', properties: { 0: text } };
    const kinds = [list, object].map((v, kind) => ({ properties: { kind: { const: kind }, v } }));
    const schema = withTraits({ a: { anyOf: [list, object] }, b: { oneOf: kinds } });
    expect(compileSchema(schema).warnings).toMatchObject([
      { pointer: '/properties/traits/properties/a', code: 'schema.ambiguous' },
    ]);
  });

  it.each([
    ['(?=a)b', /look-around.*"allOf"/],
    ['(?<!a)b', /look-around/],
    ['(a)\\1', /back-references.*"anyOf"/],
    ['(', /missing closing/],
  ])('says how to do without what RE2 does not have: %s', (pattern, message) => {
    expect(faultsOf(withTraits({ a: { pattern } }))[0]?.message).toMatch(message);
  });

  it('says which types there are', () => {
    const [fault] = faultsOf(withTraits({ a: { type: 'strnig' } }));
    expect(fault?.message).toContain('string');
  });

  it('takes an enum that is empty or repeats itself, which draft-07 only advises against', () => {
    const plan = compileSchema(withTraits({ a: { enum: [] }, b: { enum: ['x', 'x'] } }));
    expect(plan.errors(plan.decode({ 'traits.b': 'x' }))).toEqual([]);
    expect(plan.errors(plan.decode({ 'traits.a': 'x' }))).toMatchObject([{ pointer: '/traits/a' }]);
    const [none, one] = plan.form().nodes;
    expect(none).toMatchObject({ kind: 'select', options: [] });
    expect(one).toMatchObject({ kind: 'radios', options: [{ value: 'x' }] });
  });

  it('takes patterns with the escapes of ECMAScript, which RE2 writes in another way', () => {
    const plan = compileSchema(withTraits({ a: { pattern: '^[\\u00C0-\\u017F]+$' } }));
    const faults = (text: string) => plan.errors(plan.decode({ 'traits.a': text })).length;
    expect([faults('Éa'), faults('É')]).toEqual([1, 0]);
  });

  it('takes what draft-07 allows, and keywords of others that begin with x-', () => {
    const schema = {
      $id: 'https://example.com/person.schema.json',
      $schema: 'http://json-schema.org/draft-07/schema#',
      $comment: 'c',
      ...withTraits({
        a: { $ref: 'https://example.com/person.schema.json#/definitions/a' },
        b: { $ref: '#b' },
        c: { $ref: '#/properties/traits/properties/a' },
        d: {
          type: 'string',
          'ory.sh/kratos': { credentials: { password: { identifier: true } } },
          'x-order': 1,
          examples: ['x'],
        },
        e: true,
        f: false,
        g: { contentEncoding: 'base64', writeOnly: true },
      }),
      definitions: {
        a: { type: 'integer' },
        b: { $id: '#b', type: 'boolean' },
        unused: { $ref: '#/definitions/a' },
      },
    };
    const plan = compileSchema(schema);
    expect(plan.decode({ 'traits.a': '1', 'traits.b': '1', 'traits.c': '1' }).value).toEqual({
      traits: { a: 1, b: true, c: 1 },
    });
    expect(plan.identifiers).toEqual([{ pointer: '/traits/d', name: 'traits.d' }]);
  });

  it('keeps plans with the same "$id" apart', () => {
    const of = (type: string): unknown => ({
      $id: 'https://example.com/a',
      ...withTraits({ a: { type } }),
    });
    const [one, two] = [compileSchema(of('integer')), compileSchema(of('string'))];
    expect(one.decode({ 'traits.a': '1' }).value).toEqual({ traits: { a: 1 } });
    expect(two.decode({ 'traits.a': '1' }).value).toEqual({ traits: { a: '1' } });
  });

  it('holds to the limits that it is given', () => {
    const schema = withTraits({ a: text, b: text });
    expect(briefly(schema, { limits: { propertiesMax: 2 } })).toEqual([' schema.properties']);
    expect(briefly(schema, { limits: { schemaBytesMax: 50 } })).toEqual([' schema.size']);
    expect(briefly(schema, { limits: { schemaDepthMax: 3 } })[0]).toMatch(/schema.depth$/);
    expect(compileSchema(schema, { limits: { fieldsMax: 5 } }).limits).toMatchObject({
      fieldsMax: 5,
      depthMax: 16,
    });
  });

  it('does not change or keep hold of parts that the caller may change', () => {
    const schema = withTraits({ a: { type: 'string', default: ['x'] } });
    const before = JSON.stringify(schema);
    const plan = compileSchema(schema);
    plan.form(plan.decode({ 'traits.a': 'b' }).value);
    expect(JSON.stringify(schema)).toBe(before);
  });

  it('lists what a form may not write', () => {
    const schema = withTraits({
      role: { type: 'string', readOnly: true },
      o: { type: 'object', properties: { id: { type: 'string', 'x-immutable': true } } },
    });
    expect(compileSchema(schema).readOnly).toEqual(['/traits/role', '/traits/o/id']);
  });
});
