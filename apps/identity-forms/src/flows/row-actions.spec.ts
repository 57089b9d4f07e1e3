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
  it('adds a row after those that were sent, blank ones too', () => {
    const added = applyRowAction(phones, { kind: 'add', list: 'traits.phones' });
    expect(added).toEqual([...phones, ['traits.phones.3', '']]);
    const inner = applyRowAction(phones, { kind: 'add', list: 'traits.phones.1.tags' });
    expect(inner).toEqual([...phones, ['traits.phones.1.tags.1', '']]);
  });

  it('adds the first row of a list', () => {
    const name: FormEntry = ['traits.name', 'x'];
    const added = applyRowAction([name], { kind: 'add', list: 'traits.tags' });
    expect(added).toEqual([name, ['traits.tags.0', '']]);
  });

  it('never gives a new row the number of a stored one', () => {
    const removal = { kind: 'remove', list: 'traits.phones', row: 'traits.phones.2' } as const;
    const left = applyRowAction(phones, removal);
    const action = { kind: 'add', list: 'traits.phones' } as const;
    expect(applyRowAction(left, action, { 'traits.phones': 3 })).toEqual([
      ...left,
      ['traits.phones.3', ''],
    ]);
  });

  it('removes a row with its fields; the others keep their numbers', () => {
    const action = { kind: 'remove', list: 'traits.phones', row: 'traits.phones.1' } as const;
    expect(applyRowAction(phones, action)).toEqual([
      ['traits.name', 'Ada'],
      ['traits.phones', ''],
      ['traits.phones.0.number', '1'],
      ['traits.phones.2.number', ''],
    ]);
  });

  it('ignores values that no button has', () => {
    expect(parseRowAction('add:traits.phones')).toEqual({ kind: 'add', list: 'traits.phones' });
    expect(parseRowAction('remove:traits.phones.12')).toEqual({
      kind: 'remove',
      list: 'traits.phones',
      row: 'traits.phones.12',
    });
    for (const value of ['', 'add:', 'remove:traits.phones', 'remove:traits.phones.x', 'x']) {
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
