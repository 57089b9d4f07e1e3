import * as fc from 'fast-check';
import { DomainError } from '../errors/domain-error.js';
import { type InputOptions, InputReader } from './input-reader.js';
import { isObject, isWellFormed, lengthOf } from './json-text.js';

const PROTO_JSON: InputOptions = { naming: 'camelCase-too' };

/** The faults that a request has, as `field: description`. */
function faultsOf(json: unknown, read: (body: InputReader) => void, options?: InputOptions) {
  return faultsIn(() => {
    const body = InputReader.of(json, options);
    read(body);
    body.throwIfInvalid();
  });
}

function faultsIn(work: () => void): string[] {
  try {
    work();
  } catch (error) {
    if (!(error instanceof DomainError) || error.httpStatus !== 400) throw error;
    return error.violations.map(({ field, description }) => `${field}: ${description}`);
  }
  return [];
}

describe('names', () => {
  it('are snake_case, and lowerCamelCase where the options allow it', () => {
    expect(InputReader.of({ actor_id: 'a' }).text('actor_id')).toBe('a');
    expect(InputReader.of({ actorId: 'a' }).raw('actor_id')).toBeUndefined();
    expect(InputReader.of({ actorId: 'a' }, PROTO_JSON).text('actor_id')).toBe('a');
    expect(InputReader.of({ actorId: 'b', actor_id: 'a' }, PROTO_JSON).raw('actor_id')).toBe('a');
    expect(InputReader.of({ actorId: 'b', actor_id: null }, PROTO_JSON).raw('actor_id')).toBe('b');
  });

  it('are own members, never inherited ones', () => {
    expect(InputReader.of({}).raw('constructor')).toBeUndefined();
    expect(InputReader.of({}, PROTO_JSON).raw('to_string')).toBeUndefined();
    expect(InputReader.of({}).isPresent('__proto__')).toBe(false);
  });

  it('are present even when null, in either spelling', () => {
    expect(InputReader.of({ name: null }).isPresent('name')).toBe(true);
    expect(InputReader.of({ actorId: null }, PROTO_JSON).isPresent('actor_id')).toBe(true);
    expect(InputReader.of({}, PROTO_JSON).isPresent('actor_id')).toBe(false);
  });
});

describe('faults', () => {
  it('are collected over all fields, nested objects too, and reported together', () => {
    const json = { name: '', ttl: 7, tags: 'x', limit: { quota: 'many' } };
    const faults = faultsOf(json, (body) => {
      body.text('name', { min: 1 });
      body.duration('ttl');
      body.list('tags');
      body.child('limit')?.integer('quota', { min: 1, max: 9 });
    });
    expect(faults).toEqual([
      'name: must not be empty',
      'ttl: must be a duration such as "24h", as a string',
      'tags: must be an array',
      'limit.quota: must be a whole number from 1 to 9',
    ]);
  });

  it('are named from the path of the object', () => {
    expect(faultsIn(() => InputReader.of(3, {}, 'requests[3]'))).toEqual([
      'requests[3]: must be a JSON object',
    ]);
    const item = InputReader.of({}, {}, 'requests[3]');
    item.requiredText('name');
    expect(faultsIn(() => item.throwIfInvalid())).toEqual(['requests[3].name: is required']);
  });

  it('make up the message, in the form of the options', () => {
    const read = (options?: InputOptions) => () => {
      const body = InputReader.of({}, options);
      body.requiredText('tenant');
      body.requiredText('product');
      body.throwIfInvalid();
    };
    expect(read()).toThrow('tenant: is required; product: is required');
    expect(read({ message: ([first]) => `bad ${first?.field}` })).toThrow('bad tenant');
  });

  it('are never anything but a 400, whatever JSON is read', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom('ignore', 'refuse'), (json, unknown) => {
        faultsOf(
          json,
          (body) => {
            body.text('name', { min: 1 });
            body.requiredText('tenant');
            body.boolean('is_on');
            body.integer('count');
            body.duration('ttl');
            body.list('scopes', { min: 1, max: 2 });
            body.child('nested')?.object('deeper');
            body.enumeration('kind', ['A', 'B']);
            body.oneOf('other', ['A', 'B']);
          },
          { ...PROTO_JSON, unknown },
        );
      }),
    );
  });
});

describe('bodies', () => {
  it.each([[[]], ['text'], [7], [true]])('%j is refused: it is no JSON object', (json) => {
    expect(faultsIn(() => InputReader.of(json))).toEqual(['body: must be a JSON object']);
  });

  it('that are missing count as an empty object', () => {
    expect(InputReader.of(undefined).text('name')).toBe('');
    expect(InputReader.of(null).isPresent('name')).toBe(false);
  });
});

describe('values', () => {
  it.each([
    ['x'.repeat(256), 'must not exceed 255 characters'],
    ['a\u0000b', 'must not contain control characters'],
    ['a\u0085b', 'must not contain control characters'],
    ['a\ud83d', 'must not contain control characters'],
    [7, 'must be a string'],
  ])('text %j: %s', (name, description) => {
    expect(faultsOf({ name }, (body) => body.text('name'))).toEqual([`name: ${description}`]);
    expect(faultsOf({ name }, (body) => body.requiredText('name'))).toEqual([
      `name: ${description}`,
    ]);
  });

  it('text is counted in characters, not in UTF-16 code units', () => {
    expect(faultsOf({ name: '😀😀' }, (body) => body.text('name', { max: 2 }))).toEqual([]);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(lengthOf(text)).toBe([...text].length);
        expect(isWellFormed(text)).toBe(!/\p{Cs}/u.test(text));
      }),
    );
  });

  it('a string is taken as it is', () => {
    expect(InputReader.of({ form: 'a=1\r\n' }).string('form')).toBe('a=1\r\n');
  });

  it('unset values are undefined, empty or the first of an enum', () => {
    const body = InputReader.of({ name: null });
    expect([
      body.string('name'),
      body.boolean('name'),
      body.integer('name'),
      body.duration('name'),
      body.object('name'),
      body.child('name'),
      body.oneOf('name', ['A', 'B']),
    ]).toEqual(new Array(7).fill(undefined));
    expect([body.text('name'), body.list('name'), body.enumeration('name', ['A', 'B'])]).toEqual([
      '',
      [],
      'A',
    ]);
    expect(() => body.throwIfInvalid()).not.toThrow();
  });

  it('an enum is read by name, in ProtoJSON also by number', () => {
    const kind = (value: unknown, options?: InputOptions) => {
      let read: string | undefined;
      const faults = faultsOf(
        { kind: value },
        (body) => {
          read = body.enumeration('kind', ['A', 'B']);
        },
        options,
      );
      return faults[0] ?? read;
    };
    expect([kind('B'), kind('A')]).toEqual(['B', 'A']);
    expect([kind(1, PROTO_JSON), kind('A', PROTO_JSON)]).toEqual(['B', 'A']);
    const refused = [kind(1), kind(0), kind(''), kind(2, PROTO_JSON), kind('', PROTO_JSON)];
    expect(refused).toEqual(new Array(5).fill('kind: must be one of A, B'));
  });

  it('an empty text is no duration, and no optional text, but an empty parameter is unset', () => {
    const faults = faultsOf({ ttl: '', id: '' }, (body) => {
      body.duration('ttl');
      body.optionalText('id');
    });
    expect(faults).toEqual([
      'ttl: must be a duration such as "90s", "30m", "24h" or "1h30m"',
      'id: must not be empty',
    ]);
    expect(InputReader.ofQuery({ ttl: '' }).duration('ttl')).toBeUndefined();
    expect(InputReader.of({}).optionalText('id')).toBeUndefined();
  });

  it('null is refused where the options say so, unless the field is nullable', () => {
    const nulls: InputOptions = { nulls: 'refuse', unknown: 'refuse' };
    const json = { name: null, limit: { quota: null }, rules: null, note: null, other: null };
    const faults = faultsOf(
      json,
      (body) => {
        body.nullable(['note']);
        body.text('note');
        body.text('name', { min: 1 });
        body.child('limit')?.integer('quota');
        body.list('rules');
      },
      nulls,
    );
    expect(faults).toEqual([
      'name: must not be empty',
      'limit.quota: must not be null',
      'other: is not a known field',
      'rules: must not be null',
    ]);
    expect(faultsIn(() => InputReader.of(null, nulls))).toEqual(['body: must be a JSON object']);
    expect(faultsOf(json.limit, (body) => body.integer('quota'))).toEqual([]);
  });

  it('a duration over the limit is a fault, never clamped', () => {
    expect(InputReader.of({ ttl: '100s' }).duration('ttl', { max: 100 })).toBe(100);
    const faults = faultsOf({ ttl: '101s' }, (body) => body.duration('ttl', { max: 100 }));
    expect(faults).toEqual(['ttl: must be at most 100s']);
  });

  it('a number in JSON is a number, not text', () => {
    expect(InputReader.of({ count: 3 }).integer('count')).toBe(3);
    expect(faultsOf({ count: '3' }, (body) => body.integer('count', { min: 1 }))).toEqual([
      'count: must be a whole number of at least 1',
    ]);
  });
});

describe('unknown members', () => {
  const read = (body: InputReader) => {
    body.text('name');
    body.text('actor_id');
    body.child('rate_limit')?.integer('quota');
  };
  const refuse = (json: unknown) => faultsOf(json, read, { ...PROTO_JSON, unknown: 'refuse' });

  it('are ignored unless the options refuse them', () => {
    expect(faultsOf({ nmae: 'x' }, read)).toEqual([]);
  });

  it('are parameters in a query, and may be allowed without being read', () => {
    const query = InputReader.ofQuery({ page: '1', filter: 'x' }, { unknown: 'refuse' });
    query.allow(['filter', 'page_size']);
    expect(faultsIn(() => query.throwIfInvalid())).toEqual(['page: is not a known parameter']);
  });

  it('name the nearest known field, at every level', () => {
    expect(refuse({ nmae: 'x', rateLimit: { qouta: 1 }, actor: 'x', zzz: 1 })).toEqual([
      'rate_limit.qouta: is not a known field; did you mean "quota"?',
      'nmae: is not a known field; did you mean "name"?',
      'actor: is not a known field; did you mean "actor_id"?',
      'zzz: is not a known field',
    ]);
  });

  it('are reported beside other faults', () => {
    expect(refuse({ name: 7, nam: 'x' })).toEqual([
      'name: must be a string',
      'nam: is not a known field; did you mean "name"?',
    ]);
  });

  it('do not include known fields in either spelling', () => {
    expect(refuse({ name: 'x', actorId: 'a', rate_limit: null })).toEqual([]);
  });

  it('are reported up to a limit, and cut, however many and long they are', () => {
    const members = Array.from({ length: 10_000 }, (_, index) => [`${index}`.repeat(500), 1]);
    const faults = refuse(Object.fromEntries(members));
    expect(faults).toHaveLength(16);
    expect(Math.max(...faults.map(({ length }) => length))).toBeLessThan(128);
  });
});

describe('queries', () => {
  it('send numbers and booleans as text', () => {
    const query = InputReader.ofQuery({ page_size: '7', is_on: 'true', empty: '' });
    expect(query.integer('page_size')).toBe(7);
    expect(query.boolean('is_on')).toBe(true);
    expect(query.integer('empty')).toBeUndefined();
  });

  it('may give a parameter once only', () => {
    const query = InputReader.ofQuery({ schema: ['a', 'b'] });
    expect(query.string('schema')).toBeUndefined();
    expect(faultsIn(() => query.throwIfInvalid())).toEqual(['schema: must be given only once']);
  });
});

it('isObject distinguishes objects from arrays and null', () => {
  expect([{}, [], null, 'x', 1].map(isObject)).toEqual([true, false, false, false, false]);
});
