import { compileSchema } from '../compile-schema.js';
import { type JsonValue } from '../model/form-decoder.types.js';
import { decodeTraits as decode, integer, list, object, text } from '../../test/decode-traits.js';

const kinds = (more: JsonValue = {}): JsonValue => ({
  oneOf: [
    object({ kind: { const: 'biz' }, vat: integer, ...(more as object) }, ['kind', 'vat']),
    object({ kind: { const: 'person' }, id: text }, ['kind', 'id']),
  ],
});

describe('a union of objects with a discriminator', () => {
  it('takes the branch that the discriminator names, and converts by it', () => {
    const same = {
      oneOf: [
        object({ kind: { const: 'n' }, v: integer }),
        object({ kind: { enum: ['s', 't'] }, v: text }),
      ],
    };
    expect(decode({ x: same }, 'traits.x.kind=s&traits.x.v=5').traits).toEqual({
      x: { kind: 's', v: '5' },
    });
    expect(decode({ x: same }, 'traits.x.kind=n&traits.x.v=5').traits).toEqual({
      x: { kind: 'n', v: 5 },
    });
  });

  it('counts what is required in that branch and in no other', () => {
    expect(decode({ x: kinds() }, 'traits.x.kind=person&traits.x.id=007')).toMatchObject({
      traits: { x: { kind: 'person', id: '007' } },
      errors: [],
    });
    expect(decode({ x: kinds() }, 'traits.x.kind=biz&traits.x.vat=').errors).toEqual([
      '/traits/x/vat required',
    ]);
    expect(decode({ x: kinds() }, 'traits.x.kind=biz&traits.x.vat=q').errors).toEqual([
      '/traits/x/vat type',
    ]);
  });

  it('ignores fields of the other branches', () => {
    const result = decode({ x: kinds() }, 'traits.x.kind=person&traits.x.id=1&traits.x.vat=5');
    expect(result).toMatchObject({
      traits: { x: { kind: 'person', id: '1' } },
      ignored: ['traits.x.vat'],
    });
  });

  it('says when the discriminator is missing or unknown', () => {
    expect(decode({ x: kinds() }, 'traits.x.vat=1').errors).toEqual(['/traits/x/kind required']);
    expect(decode({ x: kinds() }, 'traits.x.kind=x&traits.x.vat=1').errors).toEqual([
      '/traits/x/kind enum',
    ]);
  });

  it('knows booleans and numbers as discriminators, with a hidden companion', () => {
    const company = {
      oneOf: [
        object({ company: { const: true }, vat: integer }, ['company', 'vat']),
        object({ company: { const: false }, id: integer }, ['company']),
      ],
    };
    const fields = 'traits.x.company=false&traits.x.company=on&traits.x.vat=1';
    expect(decode({ x: company }, fields).traits).toEqual({ x: { company: true, vat: 1 } });
    const version = {
      oneOf: [object({ v: { const: 1 }, a: integer }), object({ v: { const: 2 }, a: text })],
    };
    expect(decode({ x: version }, 'traits.x.v=2.0&traits.x.a=5').traits).toEqual({
      x: { v: 2, a: '5' },
    });
  });

  it('works on the traits themselves and inside rows', () => {
    const plan = compileSchema({
      properties: {
        traits: { type: 'object', ...(kinds() as object), properties: { name: text } },
      },
    });
    expect(
      plan.decode({ 'traits.kind': 'biz', 'traits.vat': '5', 'traits.name': 'a' }).value,
    ).toEqual({
      traits: { kind: 'biz', vat: 5, name: 'a' },
    });
    const fields = 'traits.p.0.kind=person&traits.p.0.id=1&traits.p.1.kind=biz&traits.p.1.vat=2';
    expect(decode({ p: { type: 'array', items: kinds() } }, fields).traits).toEqual({
      p: [
        { kind: 'person', id: '1' },
        { kind: 'biz', vat: 2 },
      ],
    });
  });
});

describe('a union without a discriminator', () => {
  const either = (kind: string): JsonValue => ({
    [kind]: [object({ a: integer }, ['a']), object({ b: integer }, ['b'])],
  });

  it('takes the first branch that validates', () => {
    expect(decode({ x: either('oneOf') }, 'traits.x.b=5')).toMatchObject({
      traits: { x: { b: 5 } },
      errors: [],
    });
    expect(decode({ x: either('oneOf') }, 'traits.x.a=&traits.x.b=5').traits).toEqual({
      x: { b: 5 },
    });
    expect(decode({ x: either('oneOf') }, 'traits.x.a=1&traits.x.b=5')).toMatchObject({
      traits: { x: { a: 1 } },
      ignored: ['traits.x.b'],
      errors: [],
    });
  });

  describe.each(['oneOf', 'anyOf'])('of %s', (kind) => {
    const strict = (schema: JsonValue): JsonValue => ({
      ...(schema as object),
      additionalProperties: false,
    });
    const holder = (name: string, member: string): JsonValue =>
      object({ name: text, [name]: object({ [member]: integer }) }, ['name', name]);
    const holders = [holder('company', 'vat'), holder('person', 'born')];
    const closed = [strict(object({ a: integer }, ['a'])), strict(object({ a: text, b: text }))];
    const deep = [
      object({ o: strict(object({ a: text })) }),
      object({ o: object({ b: integer }) }),
    ];
    const inRows = deep.map((branch) => object({ r: { type: 'array', items: branch } }));
    const cases: [string, JsonValue[], string, JsonValue][] = [
      ['an object', holders, 'name=A&person.born=5', { name: 'A', person: { born: 5 } }],
      ['an object', holders, 'name=A&company.vat=5', { name: 'A', company: { vat: 5 } }],
      ['more fields', closed, 'a=4&b=5', { a: '4', b: '5' }],
      ['fewer fields', closed, 'a=4', { a: 4 }],
      ['deeper fields', deep, 'o.b=5', { o: { b: 5 } }],
      ['fields in rows', inRows, 'r.0.o.b=5', { r: [{ o: { b: 5 } }] }],
      [
        'a free object',
        [strict(object({ a: text })), { additionalProperties: text }],
        'a=1&q=2',
        { a: '1', q: '2' },
      ],
    ];

    it.each(cases)('prefers the branch with a place for %s', (_name, branches, sent, value) => {
      const fields = sent.replaceAll(/(^|&)/g, '$1traits.x.');
      expect(decode({ x: { [kind]: branches } }, fields)).toEqual({
        traits: { x: value },
        ignored: [],
        conflicts: [],
        errors: [],
      });
    });

    it('prefers it for JSON as well', () => {
      const plan = compileSchema({
        properties: { traits: { type: 'object', properties: { x: { [kind]: holders } } } },
      });
      const traits = { x: { name: 'A', person: { born: 5 } } };
      expect(plan.decodeJson({ traits })).toMatchObject({ value: { traits }, ignored: [] });
    });

    it('prefers a branch that does not make up an object', () => {
      const branches = [holder('company', 'vat'), object({ name: text, nick: text })];
      const { traits } = decode({ x: { [kind]: branches } }, 'traits.x.name=A');
      expect(traits).toEqual({ x: { name: 'A' } });
    });

    it('prefers a branch that makes up an object to one that loses a field', () => {
      const more = object({ name: text, a: text, company: object({}) }, ['company']);
      const branches = [object({ name: text }), more];
      const { traits } = decode({ x: { [kind]: branches } }, 'traits.x.name=A&traits.x.a=5');
      expect(traits).toEqual({ x: { name: 'A', a: '5', company: {} } });
    });

    it('takes what a branch takes if none takes all', () => {
      const branches = [object({ a: text }, ['a']), object({ b: text, c: text }, ['b', 'c'])];
      const sent = 'traits.x.a=1&traits.x.b=2';
      expect(decode({ x: { [kind]: branches } }, sent).traits).toMatchObject({ x: { a: '1' } });
    });
  });

  it('of anyOf keeps the fields of every branch, since they do not exclude each other', () => {
    expect(decode({ x: either('anyOf') }, 'traits.x.a=1&traits.x.b=5').traits).toEqual({
      x: { a: 1, b: 5 },
    });
  });

  it('that fits nowhere gives the errors of the branch that comes nearest', () => {
    expect(decode({ x: either('oneOf') }, 'traits.x.b=q').errors).toEqual(['/traits/x/b type']);
  });

  it.each<[string, JsonValue, string, JsonValue]>([
    ['string, integer', { anyOf: [text, integer] }, '5', '5'],
    ['integer, string', { anyOf: [integer, text] }, '5', 5],
    ['integer, string, no integer', { oneOf: [integer, text] }, 'abc', 'abc'],
    ['boolean, string', { oneOf: [{ type: 'boolean' }, text] }, 'true', true],
    [
      'a number too small for the first',
      { oneOf: [{ type: 'integer', minimum: 10 }, text] },
      '5',
      '5',
    ],
    [
      'consts with titles',
      {
        oneOf: [
          { const: 1, title: 'One' },
          { const: 2, title: 'Two' },
        ],
      },
      '2',
      2,
    ],
    ['null or string', { anyOf: [{ type: 'null' }, text] }, 'q', 'q'],
  ])('of scalars: %s', (_, schema, sent, expected) => {
    const result = decode({ x: schema }, { 'traits.x': sent });
    expect(result).toMatchObject({ traits: { x: expected }, errors: [] });
  });

  it('of scalars that fits nowhere names what is wanted', () => {
    const plan = compileSchema({
      properties: {
        traits: { type: 'object', properties: { x: { anyOf: [integer, { type: 'boolean' }] } } },
      },
    });
    expect(plan.errors(plan.decode({ 'traits.x': 'q' }))).toMatchObject([
      { pointer: '/traits/x', code: 'type', params: { types: ['integer', 'boolean'], value: 'q' } },
    ]);
  });
});

describe('conditions', () => {
  const traits = {
    type: 'object',
    properties: { k: text, n: text },
    if: { properties: { k: { const: 'biz' } }, required: ['k'] },
    then: { properties: { vat: integer, n: { minLength: 2 } }, required: ['vat'] },
    else: { properties: { born: { type: 'integer' } } },
  };
  const plan = compileSchema({ properties: { traits } });
  const run = (fields: Record<string, string>): unknown => {
    const decoded = plan.decode(fields);
    const errors = plan.errors(decoded).map(({ pointer, code }) => `${pointer} ${code}`);
    return { ...JSON.parse(JSON.stringify(decoded.value)), ignored: decoded.ignored, errors };
  };

  it('make the branch count that applies', () => {
    expect(run({ 'traits.k': 'biz', 'traits.vat': '5', 'traits.born': '1' })).toEqual({
      traits: { k: 'biz', vat: 5 },
      ignored: ['traits.born'],
      errors: [],
    });
    expect(run({ 'traits.k': 'me', 'traits.vat': '', 'traits.born': '1' })).toEqual({
      traits: { k: 'me', born: 1 },
      ignored: ['traits.vat'],
      errors: [],
    });
    expect(run({ 'traits.k': 'biz', 'traits.vat': '', 'traits.n': 'x' })).toMatchObject({
      errors: ['/traits/n minLength', '/traits/vat required'],
    });
  });

  it('hold for an object in which what `if` asks about was not sent', () => {
    const vacuous = { ...traits, if: { properties: { k: { const: 'biz' } } } };
    const other = compileSchema({ properties: { traits: vacuous } });
    const decoded = other.decode({ 'traits.vat': '5', 'traits.born': '1' });
    expect(decoded).toMatchObject({ value: { traits: { vat: 5 } }, ignored: ['traits.born'] });
    expect(other.errors(decoded)).toEqual([]);
  });

  it('ask also what the value will be laid over', () => {
    const tier = { ...text, readOnly: true };
    const kinds = ['a', 'b'].map((kind) => ({
      properties: { kind: { const: kind }, n: kind === 'a' ? integer : { type: 'boolean' } },
      required: ['kind'],
    }));
    const other = compileSchema({
      properties: {
        traits: {
          type: 'object',
          properties: { tier, name: text, who: { type: 'object', oneOf: kinds } },
          if: { properties: { tier: { const: 'gold' } }, required: ['tier'] },
          then: { properties: { n: integer } },
        },
      },
    });
    const stored = { traits: { tier: 'gold', name: 'A', n: 3, who: { kind: 'b' } } };
    const fields = { 'traits.name': 'B', 'traits.n': '4', 'traits.who.n': 'on' };
    expect(other.decode(fields).ignored).toEqual(['traits.n']);
    const kept = other.replaceShown(stored, { traits: {} });
    const decoded = other.decode(fields, { beneath: kept });
    expect(decoded).toMatchObject({ value: { traits: { name: 'B', n: 4 } }, ignored: [] });
    expect(other.replaceShown(stored, decoded.value)).toMatchObject({
      traits: { tier: 'gold', name: 'B', n: 4 },
    });
    expect(other.decode(fields, { beneath: stored }).value).toEqual({
      traits: { name: 'B', n: 4, who: { n: true } },
    });
  });

  it('give a place to what only `if` declares', () => {
    const only = {
      type: 'object',
      if: { properties: { k: { const: 5 } }, required: ['k'] },
      then: { properties: { v: integer } },
    };
    const other = compileSchema({ properties: { traits: only } });
    expect(other.decode({ 'traits.k': '5', 'traits.v': '1' }).value).toEqual({
      traits: { k: 5, v: 1 },
    });
  });

  it('may be dependencies', () => {
    const dependent = compileSchema({
      properties: {
        traits: {
          type: 'object',
          properties: { a: text, c: text },
          dependencies: { a: { properties: { b: integer }, required: ['b'] }, c: ['a'] },
        },
      },
    });
    expect(dependent.decode({ 'traits.a': '1', 'traits.b': '2' }).value).toEqual({
      traits: { a: '1', b: 2 },
    });
    expect(dependent.decode({ 'traits.a': '', 'traits.b': '2' })).toMatchObject({
      value: { traits: {} },
      ignored: ['traits.b'],
    });
    const errors = dependent.errors(dependent.decode({ 'traits.c': '1' }));
    expect(errors).toMatchObject([{ pointer: '/traits/a', code: 'required' }]);
  });
});

describe('alternatives that only a branch declares', () => {
  const kind = (value: string, v: JsonValue, required = ['kind']): JsonValue =>
    object({ kind: { const: value }, v }, required);
  const nullable = (schema: JsonValue): JsonValue => ({ anyOf: [schema, { type: 'null' }] });
  const sent = (schema: JsonValue, fields: string) =>
    decode({ x: schema }, fields.replaceAll('x.', 'traits.x.'));

  it.each<[string, JsonValue, string, JsonValue]>([
    [
      'null or an object',
      { oneOf: [kind('a', nullable(object({ n: integer }))), kind('b', text)] },
      'x.kind=a&x.v.n=5',
      { kind: 'a', v: { n: 5 } },
    ],
    [
      'an object with other members in another branch',
      {
        oneOf: [
          kind('a', nullable(object({ n: integer }, ['n'])), ['kind', 'v']),
          kind('b', object({ m: text })),
        ],
      },
      'x.kind=a&x.v.n=5&x.v.m=',
      { kind: 'a', v: { n: 5 } },
    ],
    [
      'a union in a union in a union',
      { oneOf: [kind('b', text), kind('a', kinds({ w: { oneOf: [kind('p', integer)] } }))] },
      'x.kind=a&x.v.kind=biz&x.v.vat=1&x.v.w.kind=p&x.v.w.v=2',
      { kind: 'a', v: { kind: 'biz', vat: 1, w: { kind: 'p', v: 2 } } },
    ],
    [
      'rows',
      { oneOf: [kind('b', text), kind('a', { type: 'array', items: kinds() })] },
      'x.kind=a&x.v.0.kind=biz&x.v.0.vat=1&x.v.1.kind=person&x.v.1.id=2',
      {
        kind: 'a',
        v: [
          { kind: 'biz', vat: 1 },
          { kind: 'person', id: '2' },
        ],
      },
    ],
    [
      'the second branch of anyOf that fits',
      { anyOf: [object({ a: integer }, ['a']), object({ b: kinds() }, ['b'])] },
      'x.a=1&x.b.kind=biz&x.b.vat=2',
      { a: 1, b: { kind: 'biz', vat: 2 } },
    ],
    [
      'a condition within the answer to a condition',
      {
        ...(object({ k: text }) as object),
        if: { properties: { k: { const: 'a' } } },
        else: {
          properties: {
            v: { type: 'object', if: { required: ['t'] }, then: { properties: { n: integer } } },
          },
        },
      },
      'x.k=b&x.v.n=5',
      { k: 'b', v: {} },
    ],
    [
      'undeclared members',
      {
        oneOf: [kind('b', text), { ...(kind('a', text) as object), additionalProperties: kinds() }],
      },
      'x.kind=a&x.more.kind=biz&x.more.vat=3',
      { kind: 'a', more: { kind: 'biz', vat: 3 } },
    ],
  ])('have places: %s', (_, schema, fields, expected) => {
    expect(sent(schema, fields)).toMatchObject({ traits: { x: expected }, errors: [] });
  });

  it('keep the members of JSON beside an object of the same name', () => {
    const deep = (w: JsonValue): JsonValue => kind('a', object({ w }, ['w']));
    const schema = {
      oneOf: [deep(nullable(object({ n: integer }, ['n']))), kind('b', object({ w: object({}) }))],
    };
    const plan = compileSchema({
      properties: { traits: { type: 'object', properties: { x: schema } } },
    });
    const value = { traits: { x: { kind: 'a', v: { w: { n: 5 } } } } };
    const decoded = plan.decodeJson(value);
    expect(JSON.parse(JSON.stringify(decoded.value))).toEqual(value);
    expect(plan.errors(decoded)).toEqual([]);
  });

  it('tell an index from a property of digits', () => {
    const either = {
      oneOf: [
        kind('list', { type: 'array', items: object({ n: integer }) }),
        kind('object', object({ 0: object({ n: text }), more: text })),
      ],
    };
    expect(sent(either, 'x.kind=list&x.v.0.n=5&x.v.1.n=6&x.v.more=')).toMatchObject({
      traits: { x: { kind: 'list', v: [{ n: 5 }, { n: 6 }] } },
      conflicts: [],
    });
    expect(sent(either, 'x.kind=object&x.v.0.n=5&x.v.more=q&x.v=')).toMatchObject({
      traits: { x: { kind: 'object', v: { 0: { n: '5' }, more: 'q' } } },
      conflicts: [],
    });
    const open = {
      anyOf: [list, { type: 'object', required: ['k'], additionalProperties: integer }],
    };
    expect(sent(open, 'x.3=5').traits).toEqual({ x: [5] });
    expect(sent(open, 'x.3=5&x.k=6').traits).toEqual({ x: { 3: 5, k: 6 } });
  });

  it('take a text beside blank rows, and rows beside a blank text', () => {
    const either = { anyOf: [text, { type: 'array', items: object({ n: integer }) }] };
    expect(decode({ x: either }, 'traits.x=a&traits.x.0.n=')).toMatchObject({
      traits: { x: 'a' },
      conflicts: [],
    });
    expect(decode({ x: either }, 'traits.x=&traits.x.0.n=5').traits).toEqual({ x: [{ n: 5 }] });
  });

  it('leave out a branch that has a place for blank fields only', () => {
    const either = { oneOf: [object({ l: list }), object({ n: integer }, ['n'])] };
    expect(decode({ x: either }, 'traits.x.l=&traits.x.n=5').traits).toEqual({ x: { n: 5 } });
  });
});

describe('allOf', () => {
  it('puts properties, types and what is required together', () => {
    const x = {
      allOf: [
        object({ a: integer }, ['a']),
        object({ b: text }),
        { $ref: '#/properties/traits/properties/y' },
      ],
    };
    const y = object({ c: { type: 'boolean' } });
    const result = decode({ x, y }, 'traits.x.a=5&traits.x.b=q&traits.x.c=on');
    expect(result).toMatchObject({ traits: { x: { a: 5, b: 'q', c: true } }, errors: [] });
    const number: JsonValue = { allOf: [{ type: 'number' }, { type: 'integer' }, { minimum: 3 }] };
    expect(decode({ number }, 'traits.number=5').traits).toEqual({ number: 5 });
  });
});

describe('siblings of $ref', () => {
  it('are ignored, as draft-07 says', () => {
    const plan = compileSchema({
      definitions: { s: text },
      properties: {
        traits: {
          type: 'object',
          properties: { x: { $ref: '#/definitions/s', type: 'integer', minLength: 5 } },
        },
      },
    });
    const decoded = plan.decode({ 'traits.x': '1' });
    expect(decoded.value).toEqual({ traits: { x: '1' } });
    expect(plan.errors(decoded)).toEqual([]);
  });
});
