import { asBrowsersSend } from '../model/field-names.js';
import { type FormEntry } from '../model/form-decoder.types.js';

const ROW = /\.(\d{1,9})(?=\.|$)/g;
/** No form nests lists as deep, and the time for a name grows with the square of its rows. */
const NESTED_ROWS_MAX = 16;

interface NamedRow {
  list: string;
  number: number;
  row: string;
}

/**
 * The names of all rows that fields belong to: `rows.0` and `rows.0.tags.1` of `rows.0.tags.1`. None of a
 * name with more than 16.
 */
export function rowsOf(name: string): NamedRow[] {
  const rows: NamedRow[] = [];
  for (const match of name.matchAll(ROW)) {
    if (rows.length === NESTED_ROWS_MAX) return [];
    const list = name.slice(0, match.index);
    const row = name.slice(0, match.index + match[0].length);
    rows.push({ list, number: Number(match[1]), row });
  }
  return rows;
}

/** What was sent of a form, by the names of its controls. */
export class SentFields {
  private readonly texts = new Map<string, string[]>();
  private readonly numbers = new Map<string, Set<number>>();

  constructor(entries: readonly FormEntry[]) {
    for (const [sentName, value] of entries) {
      const name = asBrowsersSend(sentName);
      const text = value.replaceAll('\r\n', '\n');
      const known = this.texts.get(name);
      if (known === undefined) this.texts.set(name, [text]);
      else known.push(text);
      for (const { list, number } of rowsOf(name)) {
        const rows = this.numbers.get(list);
        if (rows === undefined) this.numbers.set(list, new Set([number]));
        else rows.add(number);
      }
    }
  }

  /** The texts of a control; undefined if it sent nothing. */
  textsOf(name: string): readonly string[] | undefined {
    return this.texts.get(asBrowsersSend(name));
  }

  /** The text of a control that holds one. */
  textOf(name: string): string | undefined {
    const texts = this.textsOf(name);
    return texts?.find((text) => text !== '') ?? texts?.[0];
  }

  /** The numbers of the rows of a list in order; undefined if none was sent by number. */
  rowsOf(list: string): number[] | undefined {
    const numbers = this.numbers.get(asBrowsersSend(list));
    return numbers && [...numbers].sort((a, b) => a - b);
  }
}
