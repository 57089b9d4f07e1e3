import { compileSchema } from '../compile-schema.js';
import { decodeTraits as decode, integer, object, text } from '../../test/decode-traits.js';

describe('objects', () => {
  const optional = { o: object({ a: integer, b: text }, ['a']) };

  it('are absent when nothing or only blanks were sent for them, unless they are required', () => {
    expect(decode(optional, 'x=1').traits).toEqual({});
    expect(decode(optional, 'traits.o.a=&traits.o.b=').traits).toEqual({});
    expect(decode(optional, 'traits.o.a=').errors).toEqual([]);
    expect(decode(optional, 'x=1', {}, ['o'])).toMatchObject({
      traits: { o: {} },
      errors: ['/traits/o/a required'],
    });
  });

  it('that are required in an absent object stay absent with it', () => {
    const outer = { outer: object({ inner: object({ a: text }, ['a']), s: text }, ['inner']) };
    expect(decode(outer, 'x=1').traits).toEqual({});
    expect(decode(outer, 'traits.outer.s=1')).toMatchObject({
      traits: { outer: { s: '1', inner: {} } },
      errors: ['/traits/outer/inner/a required'],
    });
  });

  it('may be JSON text, taken as it is', () => {
    expect(decode(optional, { 'traits.o': ' {"a":1,"b":"q"} ' }).traits).toEqual({
      o: { a: 1, b: 'q' },
    });
    expect(decode(optional, { 'traits.o': '{"a":"1"}' }).errors).toEqual(['/traits/o/a type']);
    expect(decode(optional, { traits: '{"o":{"a":1},"x":{"y":2}}' })).toMatchObject({
      traits: { o: { a: 1 } },
      ignored: ['traits.x'],
    });
  });

  it.each([
    ['{"a":1', 'json'],
    ['{"a":1},"admin":true', 'json'],
    ['{"a":1,"a":2}', 'json.duplicate'],
    ['{"__proto__":{"a":1}}', 'json.reserved'],
    [`${'{"a":'.repeat(20)}1${'}'.repeat(20)}`, 'limit.depth'],
  ])('refuse the JSON text %s', (json, code) => {
    const properties = { ...optional, admin: { type: 'boolean' } };
    expect(decode(properties, { 'traits.o': json })).toMatchObject({
      traits: { o: json },
      errors: [`/traits/o ${code}`],
    });
  });

  it('refuse JSON text beside a child, and numbers in it that lost digits', () => {
    expect(decode(optional, { 'traits.o': '{"a":1}', 'traits.o.b': 'x' }).errors).toEqual([
      '/traits/o field.conflict',
    ]);
    expect(decode(optional, { 'traits.o': '{"a":9007199254740993}' }).errors).toEqual([
      '/traits/o/a number.precision',
    ]);
    expect(
      decode({ free: { type: 'object' } }, { 'traits.free': '{}', 'traits.free.x': '1' }).errors,
    ).toEqual(['/traits/free field.conflict']);
  });

  it('whose JSON text is blank are missing', () => {
    expect(decode(optional, 'traits.o=', {}, ['o']).errors).toEqual(['/traits/o required']);
    expect(decode(optional, 'traits.o=&traits.o.a=1').traits).toEqual({ o: { a: 1 } });
  });

  it('take JSON text of another type as the value that it is', () => {
    expect(decode(optional, 'traits.o=null').errors).toEqual(['/traits/o type']);
    expect(decode(optional, 'traits.o=[1]')).toMatchObject({
      traits: { o: [1] },
      errors: ['/traits/o type'],
    });
  });
});

describe('properties that a form may not write', () => {
  it('are ignored, whatever the spelling', () => {
    const locked = { type: 'string', readOnly: true };
    const properties = {
      role: locked,
      id: { type: 'string', 'x-immutable': true },
      o: { type: 'object', readOnly: true, properties: { a: text } },
      rows: { type: 'array', items: object({ k: text, secret: locked }) },
      list: { type: 'array', items: text, readOnly: true },
    };
    const result = decode(properties, {
      'traits.role': 'admin',
      'traits.id': '1',
      'traits.o.a': 'x',
      'traits.rows.0.k': 'a',
      'traits.rows[0].secret': 'b',
      'traits.list[]': 'c',
      'traits.list.0': 'd',
    });
    expect(result.traits).toEqual({ rows: [{ k: 'a' }] });
    expect(result.ignored).toHaveLength(6);
    expect(decode(properties, { traits: '{"role":"admin","rows":[{"secret":1}]}' })).toMatchObject({
      traits: { rows: [{}] },
      ignored: ['traits.role', 'traits.rows.0.secret'],
    });
  });
});

describe('defaults', () => {
  const properties = {
    l: { type: 'string', default: 'en' },
    list: { type: 'array', items: text, default: ['x'] },
    o: object({ d: { type: 'integer', default: 3 }, s: text }),
    role: { type: 'string', readOnly: true, default: 'user' },
  };

  it('are put in only when asked for, and only where the object exists', () => {
    expect(decode(properties, 'x=1').traits).toEqual({});
    expect(decode(properties, 'x=1', { useDefaults: true }).traits).toEqual({
      l: 'en',
      list: ['x'],
      role: 'user',
    });
    expect(decode(properties, 'traits.l=de&traits.o.s=1', { useDefaults: true }).traits).toEqual({
      l: 'de',
      list: ['x'],
      o: { s: '1', d: 3 },
      role: 'user',
    });
  });

  it('are never shared between two results', () => {
    const plan = compileSchema({
      properties: { traits: { type: 'object', properties: { list: { default: ['x'] } } } },
    });
    const once = plan.decode([], { useDefaults: true }).value as { traits: { list: string[] } };
    once.traits.list.push('y');
    expect(plan.decode([], { useDefaults: true }).value).toEqual({ traits: { list: ['x'] } });
  });
});

describe('dates', () => {
  it('get the zone of the form', () => {
    const properties = {
      at: { type: 'string', format: 'date-time' },
      t: { type: 'string', format: 'time' },
      d: { type: 'string', format: 'date' },
    };
    const fields = {
      'traits.at': '2024-07-02T03:04',
      'traits.t': '03:04',
      'traits.d': '2024-07-02',
    };
    expect(decode(properties, fields, { timeZone: 'Europe/Berlin' })).toMatchObject({
      traits: { at: '2024-07-02T03:04:00+02:00', t: '03:04:00+01:00', d: '2024-07-02' },
      errors: [],
    });
    expect(decode(properties, fields).traits).toMatchObject({ at: '2024-07-02T03:04:00Z' });
  });
});

describe('cycles', () => {
  const schema = {
    definitions: {
      n: { type: 'object', properties: { v: integer, c: { $ref: '#/definitions/n' } } },
    },
    properties: { traits: { type: 'object', properties: { x: { $ref: '#/definitions/n' } } } },
  };

  it('are followed as deep as a name may be', () => {
    const plan = compileSchema(schema);
    expect(plan.decode({ 'traits.x.c.c.v': '1' }).value).toEqual({
      traits: { x: { c: { c: { v: 1 } } } },
    });
    const deepest = `traits.x${'.c'.repeat(13)}.v`;
    expect(plan.decode({ [deepest]: '1' }).conflicts).toEqual([]);
    expect(plan.decode({ [`traits.x${'.c'.repeat(14)}.v`]: '1' }).conflicts).toMatchObject([
      { code: 'limit.depth', params: { limit: 16 } },
    ]);
  });

  it('do not make an object that is required in itself without end', () => {
    const n = { type: 'object', properties: { c: { $ref: '#/definitions/n' } }, required: ['c'] };
    const plan = compileSchema({
      definitions: { n },
      properties: { traits: { $ref: '#/definitions/n' } },
    });
    const decoded = plan.decode([]);
    expect(JSON.stringify(decoded.value).length).toBeLessThan(200);
    expect(plan.errors(decoded)).toHaveLength(1);
  });
});
