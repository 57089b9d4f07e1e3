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

  it.each([
    ['traits.m=x', ['x'], '/traits/m/0 type'],
    ['traits.m[]=x&traits.m[]=y', ['x', 'y'], '/traits/m/0 type'],
    ['traits.m=["x"]', ['x'], '/traits/m/0 type'],
    ['traits.m.0.0=x', [['x']], undefined],
    ['traits.m=[["x"]]', [['x']], undefined],
    ['traits.m.0=x&traits.m.0=y', [['x', 'y']], undefined],
  ])('of lists take no bare text: %s', (body, expected, error) => {
    const m = { type: 'array', items: { type: 'array', items: text } };
    const result = decode({ m }, body);
    expect(result.traits).toEqual({ m: expected });
    expect(result.errors[0]).toBe(error);
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

describe('positions of a tuple', () => {
  const number = { type: 'number' };
  const at = { type: 'array', items: [number, number] };
  const open = { type: 'array', items: [number, text], additionalItems: number };
  const maybe = { type: 'array', items: [{ type: ['number', 'null'] }, number] };

  it.each([
    ['traits.at=&traits.at=13.4', [null, 13.4], ['/traits/at/0 required']],
    ['traits.at[]=&traits.at[]=13.4', [null, 13.4], ['/traits/at/0 required']],
    ['traits.at.0=&traits.at.1=5', [null, 5], ['/traits/at/0 required']],
    ['traits.at[1]=5', [null, 5], ['/traits/at/0 required']],
    ['traits.open.1=x', [null, 'x'], ['/traits/open/0 required']],
    ['traits.open.9=7', [null, null, 7], ['/traits/open/0 required', '/traits/open/1 required']],
    ['traits.at=52.5&traits.at=', [52.5], []],
    ['traits.at=&traits.at=', [], []],
    ['traits.open.0=1&traits.open.1=x&traits.open.7=7', [1, 'x', 7], []],
    ['traits.open=1&traits.open=x&traits.open=&traits.open=7', [1, 'x', 7], []],
  ])('stay: %s', (body, expected, errors) => {
    const result = decode({ at, open }, body);
    expect(Object.values(result.traits as object)).toEqual([expected]);
    expect(result.errors).toEqual(errors);
  });

  it('may be null where a blank is', () => {
    const result = decode({ maybe }, 'traits.maybe.1=5', { emptyNullable: 'null' });
    expect(result).toMatchObject({ traits: { maybe: [null, 5] }, errors: [] });
  });

  it('stay in rows', () => {
    const places = { type: 'array', items: { type: 'object', properties: { at } } };
    const result = decode({ places }, 'traits.places.4.at.1=5');
    expect(result.traits).toEqual({ places: [{ at: [null, 5] }] });
    expect(result.errors).toEqual(['/traits/places/0/at/0 required']);
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
