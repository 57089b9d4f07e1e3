import { type JsonObject } from '@gatehouse/form-decoder';
import { changeFaults } from './trait-changes.js';

const codes = (json: string) =>
  changeFaults(JSON.parse(json) as JsonObject).map(({ pointer, code }) => `${pointer} ${code}`);

describe('changeFaults', () => {
  it('finds nothing in ordinary changes', () => {
    const json = '{"name":"Zoë 🙂","list":["a",1.5,9007199254740991,null,true],"deep":{"x":1e-7}}';
    expect(codes(json)).toEqual([]);
  });

  it('locates reserved names and numbers that lost digits', () => {
    expect(codes('{"c/d":{"__proto__":1},"n":[1,9007199254740993],"constructor":1}')).toEqual([
      '/traits/c~1d json.reserved',
      '/traits/n/1 number.precision',
      '/traits json.reserved',
    ]);
  });
});
