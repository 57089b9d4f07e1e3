import { decodeTraits as decode, integer, list, rows, text } from '../../test/decode-traits.js';

describe('lists of scalars', () => {
  it.each([
    ['traits.a=1&traits.a=2', [1, 2]],
    ['traits.a[]=1&traits.a[]=2', [1, 2]],
    ['traits.a.0=1&traits.a.1=2', [1, 2]],
    ['traits.a[0]=1&traits.a[1]=2', [1, 2]],
    ['traits.a.7=2&traits.a.0=1', [1, 2]],
    ['traits.a.10=2&traits.a.9=1', [1, 2]],
    ['traits.a=&traits.a=1', [1]],
    ['traits.a=&traits.a.3=1', [1]],
    ['traits.a=', []],
    ['traits.a[]=', []],
    ['traits.a.0=&traits.a.1=', []],
    ['traits.a=1&traits.a=+&traits.a=q', [1, 'q']],
  ])('%s', (body, expected) => {
    const result = decode({ a: list }, body);
    expect(result.traits).toEqual({ a: expected });
    expect(result.conflicts).toEqual([]);
  });

  it('are spelled the same way within lists, tuples, unions and nullable lists', () => {
    const properties = {
      nested: { type: 'array', items: list },
      nullable: { type: ['array', 'null'], items: integer },
      tuple: { type: 'array', items: [text, integer] },
      union: { anyOf: [list, text] },
      rows: { type: 'array', items: { type: 'object', properties: { tags: list } } },
    };
    const result = decode(properties, {
      'traits.nested.0[1]': '2',
      'traits.nested[0].0': '1',
      'traits.nested[1][]': ['3', '4'],
      'traits.nullable[]': ['1', '2'],
      'traits.tuple[]': ['a', '1'],
      'traits.union[]': ['1', '2'],
      'traits.rows[]': ['{"tags":[1]}', '{"tags":[2]}'],
    });
    expect(result.traits).toEqual({
      nested: [
        [1, 2],
        [3, 4],
      ],
      nullable: [1, 2],
      tuple: ['a', 1],
      union: [1, 2],
      rows: [{ tags: [1] }, { tags: [2] }],
    });
    expect([...result.errors, ...result.ignored]).toEqual([]);
  });

  it('know no other spelling', () => {
    const names = ['a.', 'a.[0]', 'a.[]', 'a[0][]', 'a[][]', 'n.', 'n[].', 'n[][]', 'n.[0]'];
    const sent = names.map((name) => `traits.${name}`);
    const properties = { a: list, n: { type: 'array', items: list } };
    const result = decode(
      properties,
      sent.map((name) => [name, '1'] as const),
    );
    expect(result.traits).toEqual({});
    expect(result.ignored).toEqual(sent);
  });

  it('that were not sent are absent', () => {
    expect(decode({ a: list }, 'x=1').traits).toEqual({});
  });

  it('refuse an index with a leading zero, and a value beside indexes', () => {
    expect(decode({ a: list }, 'traits.a.01=1').errors).toEqual(['/traits/a field.index']);
    expect(decode({ a: list }, 'traits.a=1&traits.a.0=1').errors).toEqual([
      '/traits/a field.conflict',
    ]);
    expect(decode({ a: list }, 'traits.a.x=1').ignored).toEqual(['traits.a.x']);
  });

  it('convert each entry, also by a union, a tuple or a reference', () => {
    const properties = {
      union: { type: 'array', items: { anyOf: [{ type: 'boolean' }, integer, text] } },
      tuple: { type: 'array', items: [text, integer], additionalItems: { type: 'boolean' } },
      any: { type: 'array' },
      nested: { type: 'array', items: list },
    };
    const result = decode(properties, {
      'traits.union': ['true', '3', 'x'],
      'traits.tuple': ['1', '2', 'on', 'off'],
      'traits.any': ['1', 'x'],
      'traits.nested.0.0': '1',
      'traits.nested[0][1]': '2',
      'traits.nested[1]': '3',
    });
    expect(result.traits).toEqual({
      union: [true, 3, 'x'],
      tuple: ['1', 2, true, false],
      any: ['1', 'x'],
      nested: [[1, 2], [3]],
    });
    expect(result.errors).toEqual([]);
  });
});

describe('rows of objects', () => {
  it.each([
    ['traits.p.0.k=a&traits.p.0.n=1&traits.p.1.k=b', [{ k: 'a', n: 1 }, { k: 'b' }]],
    ['traits.p[0].k=a&traits.p[0].n=1&traits.p[1].k=b', [{ k: 'a', n: 1 }, { k: 'b' }]],
    ['traits.p.5.k=b&traits.p.2.k=a', [{ k: 'a' }, { k: 'b' }]],
    ['traits.p.0.k=a&traits.p.1.k=&traits.p.1.n=&traits.p.2.k=c', [{ k: 'a' }, { k: 'c' }]],
    ['traits.p.0.on=false&traits.p.0.on=true', [{ on: true }]],
    ['traits.p=&traits.p.0.k=a', [{ k: 'a' }]],
    ['traits.p=', []],
    ['traits.p=[{"k":"a"},{"k":"b"}]', [{ k: 'a' }, { k: 'b' }]],
    ['traits.p={"k":"a"}&traits.p={"k":"b"}', [{ k: 'a' }, { k: 'b' }]],
  ])('%s', (body, expected) => {
    const result = decode({ p: rows }, body.replace('[0]', '%5B0%5D'));
    expect(result.traits).toEqual({ p: expected });
    expect(result.errors).toEqual([]);
  });

  it('stay absent when none was sent', () => {
    expect(decode({ p: rows }, 'traits.z=1').traits).toEqual({});
  });

  it('are as many as the limit allows', () => {
    const fields = Array.from({ length: 6 }, (_, i): [string, string] => [
      `traits.p.${i * 9}.k`,
      'x',
    ]);
    const result = decode({ p: rows }, fields, { limits: { rowsMax: 5 } });
    expect(result.traits).toEqual({ p: new Array(5).fill({ k: 'x' }) });
    expect(result.conflicts).toEqual(['/traits/p limit.rows']);
    expect(decode({ p: rows }, { 'traits.p.999999999.k': 'x' }).traits).toEqual({
      p: [{ k: 'x' }],
    });
    expect(decode({ p: rows }, { 'traits.p.9999999999.k': 'x' }).conflicts).toEqual([
      '/traits/p field.index',
    ]);
  });
});
