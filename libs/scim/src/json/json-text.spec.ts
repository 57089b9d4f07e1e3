import { parseJsonText } from './json-text.js';

describe('parseJsonText', () => {
  it.each([
    '9007199254740993',
    '-9007199254740993',
    '1e400',
    '-1E400',
    '1e-400',
    '0.12345678901234567890',
    '123456789012345678901234567890.5',
    '1.00000000000000001',
    '9007199254740993e0',
    `1${'0'.repeat(500)}1`,
  ])('reads %s as no number that could be stored', (number) => {
    for (const text of [`{"a":${number}}`, `{"a": ${number} }`, `[1,${number}]`, `[\n${number}]`]) {
      expect(Object.values(parseJsonText(text) as object).at(-1)).toBe(Infinity);
    }
  });

  it.each([
    ['0', 0],
    ['1.50', 1.5],
    ['1e2', 100],
    ['-1.5E-3', -0.0015],
    ['1e21', 1e21],
    ['100000000000000000000', 1e20],
    ['0.1000000000000000000000', 0.1],
    ['9007199254740991', 9007199254740991],
    ['1234567890.123456', 1234567890.123456],
    ['0e999', 0],
  ])('keeps %s', (text, number) => {
    expect(parseJsonText(`{"a":${text}}`)).toEqual({ a: number });
  });

  it('keeps texts that look like numbers', () => {
    const text = '{"a":"x: 9007199254740993","b\\": 1e400":"\\\\","c":"\\", 1e400 \\\\"}';
    expect(parseJsonText(text)).toEqual(JSON.parse(text));
  });

  it.each(['{"a":00123456789012345678}', '{"a":1e}', '{"a":"9007199254740993', '[1e400', ''])(
    'refuses %s as JSON.parse does',
    (text) => {
      expect(() => parseJsonText(text)).toThrow(SyntaxError);
    },
  );
});
