import * as fc from 'fast-check';
import { jsonFaultOf } from './json-fault.js';

const isJson = (text: string) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('jsonFaultOf', () => {
  it('finds no fault in what JSON.parse reads, however it is indented', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2, '\t'), (value, space) => {
        expect(jsonFaultOf(JSON.stringify(value, null, space))).toBeUndefined();
      }),
    );
  });

  it('finds one in exactly the texts that JSON.parse refuses', () => {
    const part = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '1',
      '-',
      '.5',
      'null',
      ' ',
      '"',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const text = parts.join('');
        expect(jsonFaultOf(text) === undefined).toBe(isJson(text));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['', 'line 1, column 1'],
    ['{"a":1', 'line 1, column 7'],
    ['{"a":1,}', 'line 1, column 8'],
    ['{"a" 1}', 'line 1, column 6'],
    ["{'a':1}", 'line 1, column 2'],
    ['{\n  "a": tru\n}', 'line 2, column 8'],
    ['{\n  "a": "x\n"}', 'line 2, column 8'],
    ['[01]', 'line 1, column 3'],
    ['{"a":1}}', 'line 1, column 8'],
    ['{"a":NaN}', 'line 1, column 6'],
  ])('%j: %s', (text, place) => expect(jsonFaultOf(text)).toBe(place));
});
