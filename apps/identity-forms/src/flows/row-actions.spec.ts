import { type FormEntry } from '@gatehouse/form-decoder';
import { parseRowAction } from '../pages/field-names.js';
import { applyRowAction, rowActionOf, withoutBlankRows } from './row-actions.js';

const phones: FormEntry[] = [
  ['traits.name', 'Ada'],
  ['traits.phones', ''],
  ['traits.phones.0.number', '1'],
  ['traits.phones.1.number', '2'],
  ['traits.phones.1.tags.0', 'a'],
  ['traits.phones.2.number', ''],
];

describe('row actions', () => {
  it('counts blank rows when one is added', () => {
    const { entries, rows } = applyRowAction(phones, { kind: 'add', list: 'traits.phones' });
    expect(entries).toEqual(phones);
    expect(rows).toEqual({ 'traits.phones': 4, 'traits.phones.1.tags': 1 });
  });

  it('adds the first row of a list', () => {
    const { rows } = applyRowAction([['traits.name', 'x']], { kind: 'add', list: 'traits.tags' });
    expect(rows).toEqual({ 'traits.tags': 1 });
  });

  it('removes a row with its fields and renumbers the rest', () => {
    const action = { kind: 'remove', list: 'traits.phones', row: 'traits.phones.0' } as const;
    expect(applyRowAction(phones, action)).toEqual({
      entries: [
        ['traits.name', 'Ada'],
        ['traits.phones', ''],
        ['traits.phones.0.number', '2'],
        ['traits.phones.0.tags.0', 'a'],
        ['traits.phones.1.number', ''],
      ],
      rows: { 'traits.phones': 2, 'traits.phones.0.tags': 1 },
    });
  });

  it('leaves an empty list when the last row is removed', () => {
    const action = { kind: 'remove', list: 'traits.tags', row: 'traits.tags.0' } as const;
    expect(applyRowAction([['traits.tags.0', 'a']], action)).toEqual({
      entries: [],
      rows: { 'traits.tags': 0 },
    });
  });

  it('ignores values that no button has', () => {
    expect(parseRowAction('add:traits.phones')).toEqual({ kind: 'add', list: 'traits.phones' });
    expect(parseRowAction('remove:traits.phones.12')).toEqual({
      kind: 'remove',
      list: 'traits.phones',
      row: 'traits.phones.12',
    });
    for (const value of ['', 'add:', 'remove:traits.phones', 'remove:traits.phones.99999', 'x']) {
      expect(parseRowAction(value)).toBeUndefined();
    }
    expect(rowActionOf([['traits.name', 'add:traits.phones']])).toBeUndefined();
  });

  it('treats an empty box as no answer and a blank list as an empty list', () => {
    const entries: FormEntry[] = [
      ['traits.tags', ''],
      ['traits.tags.0', ''],
      ['traits.tags.1', 'a'],
      ['traits.phones.0.number', ''],
    ];
    expect(withoutBlankRows(entries).map(([name]) => name)).toEqual([
      'traits.tags',
      'traits.tags.1',
      'traits.phones.0.number',
    ]);
  });
});
