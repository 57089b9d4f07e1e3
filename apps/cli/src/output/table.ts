/** Lays rows out in columns. In a terminal, the widest columns give way until a row fits. */
import { type Paint, type Tone } from './color.js';
import { printable } from './text.js';

export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => string | number | null | undefined;
  readonly tone?: (row: Row) => Tone | undefined;
  /** Whether the column gives way last, such as an id, which is of no use in part. */
  readonly isKept?: boolean;
}

export interface TableOptions {
  readonly paint: Paint;
  /** How many characters a line may have; undefined: any number. */
  readonly width?: number;
}

const GAP = '  ';
const NARROWEST = 4;

/** @returns lines, the first with the titles */
export function table<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { paint, width }: TableOptions,
): string[] {
  const texts = rows.map((row) =>
    columns.map(({ value }) => printable(String(value(row) ?? '')).replace(/\s+/g, ' ')),
  );
  const titles = columns.map(({ title }) => title.toUpperCase());
  const widest = (index: number) =>
    texts.reduce((length, row) => Math.max(length, row[index]?.length ?? 0), 0);
  const widths = fitted(
    titles.map((title, index) => Math.max(title.length, widest(index))),
    columns.map(({ isKept }) => isKept === true),
    width,
  );
  const line = (cells: readonly string[], toneOf: (index: number) => Tone | undefined) =>
    cells
      .map((cell, index) => {
        const isLast = index === cells.length - 1;
        const text = cut(cell, widths[index] ?? 0);
        return (
          paint(toneOf(index), text) + ' '.repeat(isLast ? 0 : (widths[index] ?? 0) - text.length)
        );
      })
      .join(GAP)
      .trimEnd();
  return [
    line(titles, () => 'dim'),
    ...texts.map((cells, row) => line(cells, (index) => columns[index]?.tone?.(rows[row] as Row))),
  ];
}

function fitted(widths: number[], isKept: readonly boolean[], width = Infinity): number[] {
  const fits = [...widths];
  const room = width - GAP.length * (widths.length - 1);
  const sum = () => fits.reduce((total, each) => total + each, 0);
  for (const mayShrink of [(index: number) => !isKept[index], () => true]) {
    while (sum() > room) {
      const wide = fits.map((each, index) => (mayShrink(index) && each > NARROWEST ? each : 0));
      const widest = Math.max(...wide);
      if (widest === 0) break;
      fits[wide.indexOf(widest)] = widest - 1;
    }
  }
  return fits;
}

function cut(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1)}…` : text;
}
