import fc from 'fast-check';
import { type Column, table } from './table.js';

interface Row {
  id: string;
  name: string;
}
const COLUMNS: Column<Row>[] = [
  { title: 'Name', value: ({ name }) => name },
  { title: 'Id', value: ({ id }) => id, isKept: true },
];
const ID = '01935c9a-7d1e-7c3f-9a55-2f0d8f1b6a11';
const plain = (_tone: unknown, text: string) => text;

it('aligns columns under their titles', () => {
  const rows = [
    { id: '1', name: 'short' },
    { id: '22', name: 'a longer name' },
  ];
  expect(table(rows, COLUMNS, { paint: plain })).toEqual([
    'NAME           ID',
    'short          1',
    'a longer name  22',
  ]);
});

it('cuts nothing where there is no width', () => {
  const name = 'x'.repeat(500);
  expect(table([{ id: ID, name }], COLUMNS, { paint: plain })[1]).toBe(`${name}  ${ID}`);
});

it('cuts texts before it cuts ids', () => {
  const rows = [{ id: ID, name: 'a name that is too long' }];
  expect(table(rows, COLUMNS, { paint: plain, width: 50 })[1]).toBe(`a name that…  ${ID}`);
});

it('fits every line into the terminal', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.integer({ min: 14, max: 120 }), (name, id, width) => {
      for (const line of table([{ id, name }], COLUMNS, { paint: plain, width })) {
        expect(line.length).toBeLessThanOrEqual(width);
      }
    }),
  );
});

it('shows control characters instead of sending them to the terminal', () => {
  const rows = [{ id: '1', name: '\x1b[2J' }];
  expect(table(rows, COLUMNS, { paint: plain })[1]).toBe('\\x1b[2J  1');
});
