import fc from 'fast-check';
import { FormError } from '../model/form-decoder.errors.js';
import { checkEntries, parseUrlencoded } from './urlencoded.reader.js';

/**
 * URLSearchParams takes a leading question mark for the start of a query, and Node's garbles
 * characters beyond ASCII beside a broken escape: so it is given their escapes.
 */
const reference = (body: string): [string, string][] => {
  const ascii = body.replace(/[^\0-\x7f]+/g, encodeURIComponent);
  return [...new URLSearchParams(ascii.startsWith('?') ? `?${ascii}` : ascii)];
};

const refusal = (run: () => unknown): FormError | undefined => {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof FormError) return error;
    throw error;
  }
};

const piece = fc.oneof(
  fc.constantFrom(
    '&',
    '=',
    '+',
    '%',
    '%4',
    '%ZZ',
    '%41',
    '%c3%a9',
    '%F0%9F%98%80',
    '%00',
    '?',
    ';',
  ),
  fc.constantFrom(
    '%EF%BB%BF',
    '\uFEFF',
    '%2B',
    '%26',
    '%3D',
    'traits.a',
    '[]',
    'é',
    '名',
    '😀',
    ' ',
  ),
  fc.string({ maxLength: 4 }),
);

describe('parseUrlencoded', () => {
  it.each<[string, [string, string][]]>([
    ['a=b+c', [['a', 'b c']]],
    ['a=b%20c%2Bd', [['a', 'b c+d']]],
    ['&&a=1&&', [['a', '1']]],
    [
      'a=%ZZ&b=%&c=%4',
      [
        ['a', '%ZZ'],
        ['b', '%'],
        ['c', '%4'],
      ],
    ],
    ['a=1;b=2', [['a', '1;b=2']]],
    ['=', [['', '']]],
    ['a', [['a', '']]],
    ['a=b=c', [['a', 'b=c']]],
    ['?a=1', [['?a', '1']]],
    ['a=%EF%BB%BFx', [['a', '\uFEFFx']]],
    [
      't=a&t=b&t=a',
      [
        ['t', 'a'],
        ['t', 'b'],
        ['t', 'a'],
      ],
    ],
    ['n%5B0%5D=%e5%90%8D', [['n[0]', '名']]],
    [
      '100%&%=%25',
      [
        ['100%', ''],
        ['%', '%'],
      ],
    ],
    ['', []],
  ])('reads %j as WHATWG says', (body, entries) => {
    expect(parseUrlencoded(body)).toEqual(entries);
    expect(parseUrlencoded(Buffer.from(body))).toEqual(entries);
  });

  it('reads what URLSearchParams reads', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const body = pieces.join('').replaceAll('\uFFFD', '');
        const expected = reference(body);
        const refused = refusal(() => expect(parseUrlencoded(body)).toEqual(expected));
        const valid = !JSON.stringify(expected).includes('\uFFFD');
        expect(refused?.code).toBe(valid ? undefined : 'encoding');
      }),
      { numRuns: 2000 },
    );
  });

  it('reads what URLSearchParams writes', () => {
    const entry = fc.tuple(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(fc.array(entry), (entries) => {
        expect(parseUrlencoded(new URLSearchParams(entries).toString())).toEqual(entries);
      }),
    );
  });

  it('reads or refuses any bytes, and refuses exactly those that hold something else than UTF-8', () => {
    const byte = fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(0x25, 0x26, 0x3d));
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 60 }), (bytes) => {
        const body = Uint8Array.from(bytes);
        const expected = reference(
          Buffer.from(body)
            .toString('latin1')
            .replace(/[^\0-\x7f]/g, escaped),
        );
        const valid = !JSON.stringify(expected).includes('\uFFFD');
        const refused = refusal(() => expect(parseUrlencoded(body)).toEqual(expected));
        expect(refused?.code).toBe(valid ? undefined : 'encoding');
      }),
      { numRuns: 2000 },
    );
  });

  it('reads a character of which one byte is written out and the other is escaped', () => {
    const halves = Buffer.concat([Buffer.from('a='), Buffer.of(0xc3), Buffer.from('%A9&%C3')]);
    const body = Buffer.concat([halves, Buffer.of(0xa9)]);
    expect(parseUrlencoded(body)).toEqual([
      ['a', 'é'],
      ['é', ''],
    ]);
    expect(refusal(() => parseUrlencoded(halves))?.code).toBe('encoding');
  });

  it.each(['a=%FF', 'a=%C3', 'a=%ED%A0%80', '%E9=x', 'a=%C0%80', 'a=\ud800'])(
    'refuses %j, which is not UTF-8, with a 400',
    (body) => {
      expect(refusal(() => parseUrlencoded(body))).toMatchObject({ code: 'encoding', status: 400 });
    },
  );

  it('names the limit that is passed, and takes what just fits', () => {
    const limits = { fieldsMax: 3, nameBytesMax: 4, valueBytesMax: 5 };
    expect(parseUrlencoded('a=1&b=2&c=3&&', limits)).toHaveLength(3);
    expect(refusal(() => parseUrlencoded('a=1&b=2&c=3&d=4', limits))).toMatchObject({
      code: 'limit.fields',
      status: 413,
      params: { limit: 3 },
    });
    expect(parseUrlencoded('%C3%A9%C3%A9=1', limits)).toEqual([['éé', '1']]);
    expect(refusal(() => parseUrlencoded('%C3%A9%C3%A9a=1', limits))).toMatchObject({
      code: 'limit.name',
      status: 413,
      params: { limit: 4, name: 'ééa' },
    });
    expect(parseUrlencoded('a=12345', limits)).toHaveLength(1);
    expect(refusal(() => parseUrlencoded('a=%F0%9F%98%8012', limits))).toMatchObject({
      code: 'limit.value',
      status: 413,
      params: { limit: 5, name: 'a' },
    });
  });

  it('refuses 100,000 fields after the first thousand', () => {
    const body = new Array(100_000).fill('a=1').join('&');
    const start = performance.now();
    expect(refusal(() => parseUrlencoded(body))?.code).toBe('limit.fields');
    expect(performance.now() - start).toBeLessThan(3000);
  });
});

describe('checkEntries', () => {
  it('holds entries that were read elsewhere to the same limits', () => {
    const limits = { fieldsMax: 1, nameBytesMax: 2, valueBytesMax: 2 };
    const codeOf = (entries: [string, string][]): string | undefined =>
      refusal(() => checkEntries(entries, limits))?.code;
    expect(codeOf([['a', '1']])).toBeUndefined();
    expect(
      codeOf([
        ['a', '1'],
        ['b', '2'],
      ]),
    ).toBe('limit.fields');
    expect(codeOf([['éé', '1']])).toBe('limit.name');
    expect(codeOf([['a', '123']])).toBe('limit.value');
  });
});

function escaped(character: string): string {
  return `%${character.charCodeAt(0).toString(16)}`;
}
