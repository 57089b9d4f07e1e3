/**
 * Prints results to stdout, and everything about them to stderr. With `--json`, a result is one JSON document,
 * and each row of a list is one line of JSON, with all members and times as the API has them.
 */
import { type Paint, paintFor } from './color.js';
import { Progress } from './progress.js';
import { type Column, table } from './table.js';
import { counted, printable, printableLine } from './text.js';

/** A label and its value; rows without a value are left out. */
export type Fact = readonly [label: string, value: string | number | null | undefined];

export interface ListOptions {
  /** What a row is, such as `key`. */
  readonly noun: string;
  readonly limit?: number;
}

export class Output {
  readonly paint: Paint = paintFor(process.stdout);

  constructor(readonly json: boolean) {}

  /** @returns how many rows there were */
  async list<Row>(
    rows: AsyncIterable<Row> | Iterable<Row>,
    columns: readonly Column<Row>[],
    { noun, limit = Infinity }: ListOptions,
  ): Promise<number> {
    const progress = new Progress();
    const shown: Row[] = [];
    let count = 0;
    for await (const row of rows) {
      if (count === limit) {
        progress.end();
        this.note(`These are the first ${counted(limit, noun)}. Pass --all to get all.`);
        break;
      }
      count += 1;
      if (this.json) this.jsonLine(row);
      else shown.push(row);
      progress.update(counted(count, noun));
    }
    progress.end();
    if (count === 0) this.note(`There is no ${noun}.`);
    else if (!this.json) this.table(shown, columns);
    return count;
  }

  table<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): void {
    const width = process.stdout.isTTY ? process.stdout.columns : undefined;
    for (const line of table(rows, columns, { paint: this.paint, width })) this.line(line);
  }

  /** One result: the value as JSON, or its facts for people. */
  result(value: unknown, facts: readonly Fact[]): void {
    if (this.json) this.line(JSON.stringify(value, null, 2));
    else this.facts(facts);
  }

  facts(facts: readonly Fact[], stream: NodeJS.WriteStream = process.stdout): void {
    const present = facts.filter(([, value]) => (value ?? '') !== '');
    const width = Math.max(...present.map(([label]) => label.length));
    for (const [label, value] of present) {
      const text = printableLine(String(value));
      stream.write(`${this.paint('dim', label.padEnd(width))}  ${text}\n`);
    }
  }

  jsonLine(value: unknown): void {
    this.line(JSON.stringify(value));
  }

  line(text: string): void {
    process.stdout.write(`${text}\n`);
  }

  /** For people, not for programs that read stdout. */
  note(text: string): void {
    process.stderr.write(`${printable(text)}\n`);
  }
}
