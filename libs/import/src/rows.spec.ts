import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readRows } from './rows.js';

const folder = mkdtempSync(join(tmpdir(), 'rows-'));
afterAll(() => rmSync(folder, { recursive: true }));

function rowsOf(name: string, text: string) {
  const file = join(folder, name);
  writeFileSync(file, text);
  return readRows(file);
}

it('reads CSV with quotes, commas, line breaks and empty fields', () => {
  const text = 'name,raw_key,scopes\r\n"a ""b"", c","k\n1",\r\n\r\nd,k2,x y';
  expect(rowsOf('keys.csv', text)).toEqual([
    { name: 'a "b", c', raw_key: 'k\n1' },
    { name: 'd', raw_key: 'k2', scopes: 'x y' },
  ]);
});

it('reads JSON lines and JSON lists', () => {
  expect(rowsOf('a.jsonl', '{"a":1}\n\n{"a":2}\n')).toEqual([{ a: 1 }, { a: 2 }]);
  expect(rowsOf('b.json', ' [{"a":1}]')).toEqual([{ a: 1 }]);
});

it('names the line of a fault, and not what is in it', () => {
  expect(() => rowsOf('c.jsonl', '{"a":1}\n{"secret')).toThrow(/c\.jsonl, line 2, is not JSON$/);
  expect(() => rowsOf('d.csv', 'a,b\n1,"secret')).toThrow(/d\.csv, record 2, is not CSV$/);
});

it('names a missing file once', () => {
  expect(() => readRows('nope.csv')).toThrow(/^nope\.csv cannot be read: There is no such file$/);
});

it.each(['[{"a":1},null]', '{"a":1}\n[]\n', '{"a":1}\n"text"'])(
  'refuses a record that is not an object: %s',
  (text) => {
    expect(() => rowsOf('c.json', text)).toThrow(/c\.json, record 2, is not an object$/);
  },
);
