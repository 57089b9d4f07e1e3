/** Rows that wait to be written, by hour. Bounded, so that a database that is away costs no memory. */
import { OTHER } from '../../store/usage/usage-counter.js';
import { SERIES } from '../../store/usage/usage.types.js';
import { type UsageRow } from './usage-row.js';

const HOUR_MS = 3_600_000;
/** Beyond it, rows lose their key, actor and tag; at twice as many they are lost. */
export const ROWS_MAX = 100_000;
/** Older rows are lost: the minutes that hours are summed up from must still be there. */
export const AGE_MS_MAX = 6 * HOUR_MS;
export const BATCH_ROWS_MAX = 2_000;

/** Rows that are written in one statement. All are of one hour. */
export interface WriteBatch {
  readonly hourMs: number;
  readonly number: number;
  readonly rows: readonly UsageRow[];
}

export class PendingUsage {
  size = 0;
  /** Verifications that lost their key or their tag, and those that are lost altogether. */
  overflows = 0;
  lost = 0;
  private readonly hours = new Map<number, Map<string, UsageRow>>();
  private numbers = 0;

  readonly add = (row: UsageRow): void => {
    const hourMs = row.atMs - (row.atMs % HOUR_MS);
    const rows = this.hours.get(hourMs) ?? new Map<string, UsageRow>();
    this.hours.set(hourMs, rows);
    const name = nameOf(row);
    const known = rows.get(name);
    if (known !== undefined) {
      known.count += row.count;
      known.cost += row.cost;
    } else if (this.size < ROWS_MAX || (row.series === SERIES.all && this.size < 2 * ROWS_MAX)) {
      rows.set(name, row);
      this.size += 1;
    } else {
      this.addFolded(row, rows);
    }
  };

  /** Takes the rows of a batch; undefined when nothing waits. */
  take(nowMs: number): WriteBatch | undefined {
    for (const [hourMs, rows] of this.hours) {
      if (hourMs + HOUR_MS < nowMs - AGE_MS_MAX) this.lose([...rows.values()]);
      if (rows.size === 0 || hourMs + HOUR_MS < nowMs - AGE_MS_MAX) {
        this.size -= rows.size;
        this.hours.delete(hourMs);
        continue;
      }
      const taken: UsageRow[] = [];
      for (const [name, row] of rows) {
        if (taken.length === BATCH_ROWS_MAX) break;
        taken.push(row);
        rows.delete(name);
      }
      this.size -= taken.length;
      this.numbers += 1;
      return { hourMs, number: this.numbers, rows: taken };
    }
    return undefined;
  }

  lose(rows: readonly UsageRow[]): void {
    for (const { series, count } of rows) if (series === SERIES.all) this.lost += count;
  }

  private addFolded(row: UsageRow, rows: Map<string, UsageRow>): void {
    const [subject, actorId] = [row.subject && OTHER, row.actorId && OTHER];
    const folded = { ...row, subject, actorId, tag: row.tag && OTHER, limitName: '' };
    const name = nameOf(folded);
    const known = rows.get(name);
    if (row.series === SERIES.key) this.overflows += row.count;
    if (known !== undefined) {
      known.count += row.count;
      known.cost += row.cost;
    } else if (this.size < 2 * ROWS_MAX) {
      rows.set(name, folded);
      this.size += 1;
    } else {
      this.lose([row]);
    }
  }
}

function nameOf({ series, atMs, subject, tag, outcome, limitName }: UsageRow): string {
  return `${series} ${atMs} ${outcome} ${limitName} ${tag} ${subject}`;
}
