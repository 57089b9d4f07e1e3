import { rowsOf, SentFields } from './sent-fields.js';

describe('rowsOf', () => {
  it('names each row that a field belongs to', () => {
    expect(rowsOf('rows.0.tags.12')).toEqual([
      { list: 'rows', number: 0, row: 'rows.0' },
      { list: 'rows.0.tags', number: 12, row: 'rows.0.tags.12' },
    ]);
    expect(rowsOf('rows')).toEqual([]);
  });

  it('names none of a field in more rows than a form nests', () => {
    expect(rowsOf(`a${'.1'.repeat(16)}`)).toHaveLength(16);
    expect(rowsOf(`a${'.1'.repeat(17)}`)).toEqual([]);
  });
});

it('keeps the numbers of rows in order, and the text of a control that was typed', () => {
  const sent = new SentFields([
    ['rows.7.name', 'b'],
    ['rows.2.name', ''],
    ['rows.2.name', 'a'],
  ]);
  expect(sent.rowsOf('rows')).toEqual([2, 7]);
  expect(sent.rowsOf('others')).toBeUndefined();
  expect(sent.textOf('rows.2.name')).toBe('a');
});
