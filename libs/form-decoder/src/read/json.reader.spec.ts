import fc from 'fast-check';
import { FormError } from '../model/form-decoder.errors.js';
import { parseJson, type JsonReadOptions } from './json.reader.js';

const codeOf = (text: string | Uint8Array, options?: JsonReadOptions): string | undefined => {
  try {
    parseJson(text, options);
    return undefined;
  } catch (error) {
    if (error instanceof FormError) return error.code;
    throw error;
  }
};

const lax: JsonReadOptions = {
  duplicates: 'last',
  reserved: 'keep',
  depthMax: 1000,
  valuesMax: 100_000,
};
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('parseJson', () => {
  it('reads what JSON.stringify writes, with or without blanks', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2, '\t'), (value, space) => {
        const text = JSON.stringify(value, null, space);
        expect(plain(parseJson(text, lax))).toEqual(JSON.parse(text));
      }),
    );
  });

  it('refuses what JSON.parse refuses, and reads the rest alike', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '\\',
      '\\u00e9',
      '1',
      '-',
      '.5',
      'e3',
      '01',
      'true',
      'fals',
      'null',
      ' ',
      '\n',
      '\u0001',
      '"\\n"',
      '"\ud800"',
      '"b":2',
      '\u00a0',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 10 }), (list) => {
        const text = list.join('');
        let expected: unknown;
        try {
          expected = JSON.parse(text);
        } catch {
          expect(codeOf(text, lax)).toBe('json');
          return;
        }
        expect(plain(parseJson(text, lax))).toEqual(plain(expected));
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    ['{"a":1,"a":2}', 'json.duplicate'],
    ['{"a":{"b":1,"b":1}}', 'json.duplicate'],
    ['{"__proto__":{}}', 'json.reserved'],
    ['[{"constructor":1}]', 'json.reserved'],
    ['{"\\u005f_proto__":1}', 'json.reserved'],
    ['{"a":1} {"a":2}', 'json'],
    ['{"a":1}x', 'json'],
    ['', 'json'],
    ['{"a":1},"admin":true', 'json'],
    ['NaN', 'json'],
    ["{'a':1}", 'json'],
    [`${'['.repeat(17)}${']'.repeat(17)}`, 'limit.depth'],
    [`[${'1,'.repeat(10_000)}1]`, 'limit.fields'],
  ])('refuses %.40s as %s', (text, code) => {
    expect(codeOf(text)).toBe(code);
  });

  it('does not recurse into what is too deep', () => {
    expect(codeOf('['.repeat(1_000_000))).toBe('limit.depth');
    expect(codeOf('{"a":'.repeat(100_000))).toBe('limit.depth');
  });

  it('reads bytes of UTF-8, and refuses others instead of replacing them', () => {
    expect(parseJson(Buffer.from('"é€😀"'))).toBe('é€😀');
    for (const broken of [[0xff], [0xc3], [0xc0, 0xaf], [0xed, 0xa0, 0x80]]) {
      expect(codeOf(Buffer.from([0x22, ...broken, 0x22]))).toBe('encoding');
    }
  });

  it('skips a byte order mark, lets the last duplicate count when asked', () => {
    expect(parseJson('\uFEFF 1 ')).toBe(1);
    expect(plain(parseJson('{"a":1,"a":2}', { duplicates: 'last' }))).toEqual({ a: 2 });
  });

  it('makes objects with nothing behind them', () => {
    const value = parseJson('{"__proto__":{"x":1}}', lax) as Record<string, unknown>;
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect('toString' in value).toBe(false);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('takes time in proportion to the text', () => {
    const text = `["${'\\u0041'.repeat(40_000)}", "${'a'.repeat(1_000_000)}", "${'\\'.repeat(100_001)}`;
    const start = performance.now();
    expect(codeOf(text)).toBe('json');
    expect(performance.now() - start).toBeLessThan(3000);
  });
});
