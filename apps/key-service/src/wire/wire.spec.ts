import { KeyRing } from '@gatehouse/crypto';
import * as fc from 'fast-check';
import {
  BodyReader,
  hasControlCharacter,
  isObject,
  isWellFormed,
  lengthOf,
} from './body-reader.js';
import {
  isCidr,
  readAllowedCidrs,
  readDuration,
  readMetadata,
  readRateLimitPolicy,
  readScopes,
} from './key-fields.js';
import { parseListFilter } from './list-filter.js';
import { PageTokens, readListQuery } from './page-token.js';
import { MUTABLE_FIELDS, parseUpdateMask } from './update-mask.js';

const refused = { kind: 'invalid_argument' };
const finish = (body: BodyReader) => () => body.finish();

describe('BodyReader', () => {
  it('reads snake_case and lowerCamelCase alike, and snake_case first', () => {
    expect(BodyReader.of({ actor_id: 'a' }).raw('actor_id')).toBe('a');
    expect(BodyReader.of({ actorId: 'a' }).raw('actor_id')).toBe('a');
    expect(BodyReader.of({ actorId: 'b', actor_id: 'a' }).raw('actor_id')).toBe('a');
  });

  it('sees own members alone', () => {
    expect(BodyReader.of({}).raw('constructor')).toBeUndefined();
    expect(BodyReader.of({}).raw('to_string')).toBeUndefined();
    expect(BodyReader.of({}).isPresent('__proto__')).toBe(false);
  });

  it('never throws but for a 400, whatever JSON it is given', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        try {
          const body = BodyReader.of(json);
          readScopes(body);
          readMetadata(body);
          readDuration(body, 'ttl');
          readRateLimitPolicy(body);
          readAllowedCidrs(body);
          body.text('name');
          body.finish();
        } catch (error) {
          expect(error).toMatchObject(refused);
        }
      }),
    );
  });

  it('counts characters, not code units', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(lengthOf(text)).toBe([...text].length);
        expect(isWellFormed(text)).toBe(!/\p{Cs}/u.test(text));
      }),
    );
    expect(lengthOf('a😀é')).toBe(3);
  });
});

describe('readDuration', () => {
  const units: Record<string, number> = {
    s: 1,
    m: 60,
    h: 3600,
    d: 86_400,
    w: 604_800,
    mo: 2_592_000,
  };
  it('adds up compounds of every unit', () => {
    const part = fc.tuple(fc.integer({ min: 1, max: 50 }), fc.constantFrom(...Object.keys(units)));
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (parts) => {
        const text = parts.map(([count, unit]) => `${count}${unit}`).join('');
        const seconds = parts.reduce((sum, [count, unit]) => sum + count * (units[unit] ?? 0), 0);
        const body = BodyReader.of({ ttl: text });
        const read = readDuration(body, 'ttl');
        if (seconds <= 315_360_000) expect(read).toBe(seconds);
        else expect(finish(body)).toThrow(expect.objectContaining(refused));
      }),
    );
  });

  it('never clamps: one second over the limit is a fault', () => {
    const at = BodyReader.of({ ttl: '100s' });
    expect(readDuration(at, 'ttl', 100)).toBe(100);
    const over = BodyReader.of({ ttl: '101s' });
    readDuration(over, 'ttl', 100);
    expect(finish(over)).toThrow(expect.objectContaining(refused));
  });
});

describe('readMetadata', () => {
  it('takes every JSON object that PostgreSQL can hold, unchanged', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 })), (metadata) => {
        const plain = JSON.parse(JSON.stringify(metadata)) as Record<string, unknown>;
        const body = BodyReader.of({ metadata: plain });
        expect(readMetadata(body)).toEqual(plain);
        expect(finish(body)).not.toThrow();
      }),
    );
  });

  it.each(['\u0000', 'a\\\u0000', '\ud83d', '\udc00\ud83d', '\\\\\u0000'])(
    'refuses what jsonb cannot hold: %j',
    (text) => {
      for (const metadata of [{ [text]: 1 }, { a: [{ b: text }] }]) {
        const body = BodyReader.of({ metadata });
        readMetadata(body);
        expect(finish(body)).toThrow(expect.objectContaining(refused));
      }
    },
  );

  it.each(['\\u0000', '\\ud83d', 'C:\\u0000', '\\\\u0000'])('takes the plain text %s', (text) => {
    const body = BodyReader.of({ metadata: { text } });
    readMetadata(body);
    expect(finish(body)).not.toThrow();
  });
});

describe('isCidr', () => {
  it('takes every IPv4 and IPv6 network, and no more', () => {
    const v4 = fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 40 }));
    fc.assert(fc.property(v4, ([ip, bits]) => expect(isCidr(`${ip}/${bits}`)).toBe(bits <= 32)));
    const v6 = fc.tuple(fc.ipV6(), fc.integer({ min: 0, max: 140 }));
    fc.assert(fc.property(v6, ([ip, bits]) => expect(isCidr(`${ip}/${bits}`)).toBe(bits <= 128)));
  });

  it.each([
    '',
    '/',
    '10.0.0.0',
    '10.0.0.0/',
    '/8',
    '10.0.0/8',
    '010.0.0.0/8',
    '10.0.0.0/08',
    'fe80::1%eth0/64',
    '0x7f.1/8',
    ' 10.0.0.0/8',
    '10.0.0.0/8\n',
  ])('refuses %j', (text) => expect(isCidr(text)).toBe(false));
});

describe('parseUpdateMask', () => {
  it('reads any mutable fields in any spelling and order', () => {
    const camel = (name: string) => name.replace(/_([a-z])/g, (_, c: string) => c.toUpperCase());
    const field = fc.constantFrom(...MUTABLE_FIELDS);
    fc.assert(
      fc.property(fc.array(fc.tuple(field, fc.boolean()), { minLength: 1 }), (fields) => {
        const mask = fields.map(([name, isCamel]) => (isCamel ? camel(name) : name)).join(',');
        expect(parseUpdateMask(mask)).toEqual(new Set(fields.map(([name]) => name)));
      }),
    );
  });

  it('refuses everything else, and never throws otherwise', () => {
    fc.assert(
      fc.property(fc.string(), (mask) => {
        fc.pre(mask !== '' && mask.trim() !== '*');
        fc.pre(!(MUTABLE_FIELDS as readonly string[]).includes(mask.trim()));
        expect(() => parseUpdateMask(mask)).toThrow(expect.objectContaining(refused));
      }),
    );
  });

  it('* is all mutable fields, nothing is no mask', () => {
    expect(parseUpdateMask('*')).toEqual(new Set(MUTABLE_FIELDS));
    expect([parseUpdateMask(''), parseUpdateMask(undefined)]).toEqual([undefined, undefined]);
  });
});

describe('parseListFilter', () => {
  const fields = ['actor_id', 'status'] as const;
  const value = fc
    .string({ minLength: 1 })
    .filter((text) => !/["\\]/.test(text) && !hasControlCharacter(text));
  const and = fc.constantFrom(' AND ', ' and ', '  And  ');
  const quote = fc.constantFrom('"', '\\"');

  it('reads back what is written, in any order, case and quoting', () => {
    fc.assert(
      fc.property(value, value, and, quote, fc.boolean(), (actor, status, join, mark, swap) => {
        const terms = [`actor_id=${mark}${actor}${mark}`, `status = ${mark}${status}${mark}`];
        const text = (swap ? terms.reverse() : terms).join(join);
        expect(parseListFilter(text, fields)).toEqual({ actor_id: actor, status });
      }),
    );
  });

  it('never throws but for a 400, and in time that grows with the text alone', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 2048 }), (text) => {
        try {
          parseListFilter(text, fields);
        } catch (error) {
          expect(error).toMatchObject(refused);
        }
      }),
    );
    const started = performance.now();
    for (const text of [
      ' '.repeat(2048),
      'a'.repeat(2048),
      '='.repeat(2048),
      'actor_id="'.repeat(200),
    ]) {
      try {
        parseListFilter(text, fields);
      } catch (error) {
        expect(error).toMatchObject(refused);
      }
    }
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

describe('PageTokens', () => {
  const OLD = 'old-secret-text-that-is-long-enough-0';
  const NEW = 'new-secret-text-that-is-long-enough-1';
  const tokens = new PageTokens(KeyRing.fromTexts([NEW, OLD]));

  it('read back the position, for the list and filter that they were made for alone', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string(),
        fc.array(fc.string(), { maxLength: 3 }),
        (scope, other, position) => {
          const token = tokens.make(scope, position);
          expect(tokens.read(scope, token)).toEqual(position);
          fc.pre(scope !== other);
          expect(() => tokens.read(other, token)).toThrow(expect.objectContaining(refused));
        },
      ),
    );
  });

  it('are refused with any character changed', () => {
    const token = tokens.make('scope', ['2026-01-01T00:00:00.000Z', 'key']);
    fc.assert(
      fc.property(
        fc.nat(token.length - 1),
        fc.constantFrom('A', 'z', '-', '.'),
        (at, character) => {
          fc.pre(token[at] !== character);
          const altered = token.slice(0, at) + character + token.slice(at + 1);
          expect(() => tokens.read('scope', altered)).toThrow(expect.objectContaining(refused));
        },
      ),
    );
  });

  it('outlive a rotation of the secret', () => {
    const token = new PageTokens(KeyRing.fromTexts([OLD])).make('scope', ['x']);
    expect(tokens.read('scope', token)).toEqual(['x']);
  });

  it.each([
    [undefined, 50],
    ['', 50],
    ['0', 50],
    ['-7', 50],
    ['1', 1],
    ['1000', 1000],
    ['1001', 1000],
  ])('page_size %j is %d', (text, size) =>
    expect(readListQuery({ page_size: text }).pageSize).toBe(size),
  );

  it.each(['1.5', '1e3', 'x', ['1', '2'], {}])('page_size %j is refused', (value) =>
    expect(() => readListQuery({ page_size: value })).toThrow(expect.objectContaining(refused)),
  );
});

it('isObject knows arrays and null apart', () => {
  expect([{}, [], null, 'x', 1].map(isObject)).toEqual([true, false, false, false, false]);
});
