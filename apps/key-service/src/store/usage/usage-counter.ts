/** Usage counts of one key that are not yet written. Kept on the cached key. */

/** Verifications with the same outcome, refusing limit and tags. */
export interface UsageCell {
  /** The position in VERIFICATION_ERRORS; 0 for valid. */
  readonly outcome: number;
  /** The limit that refused; '' for none. */
  readonly limitName: string;
  /** The tags of the request. */
  readonly tags: readonly string[];
  count: number;
  cost: number;
}

/** Cells of one key in one minute; further combinations lose their tags and limits. */
const CELLS_MAX = 64;

/** Most counters have only `valid`, and an empty map of their own would take more memory than they do. */
const NO_CELLS = new Map<string, UsageCell>();

/** Stands for all values beyond a limit. No tag, key or new actor has this name. */
export const OTHER = '_other';

export class UsageCounter {
  /** False once it was taken to be written. */
  isOpen = true;
  /** Valid verifications without tags: nearly all of them. Each costs 1. */
  valid = 0;
  cells = NO_CELLS;

  /**
   * @param minuteMs to which the counts belong
   * @param key the cached key that has this counter
   */
  constructor(
    readonly minuteMs: number,
    readonly keyId: string,
    readonly actorId: string,
    readonly tags: readonly string[],
    private readonly key?: { usage: UsageCounter | undefined },
  ) {}

  /** Closes it, and lets go of it at its key. */
  close(): void {
    this.isOpen = false;
    if (this.key?.usage === this) this.key.usage = undefined;
  }

  /** @returns false if the tags and the limit were too many to be kept */
  add(outcome: number, limitName: string, tags: readonly string[], cost: number): boolean {
    const name = `${outcome} ${limitName} ${tags.join(' ')}`;
    let cell = this.cells.get(name);
    const isKept = cell !== undefined || this.cells.size < CELLS_MAX;
    cell ??= isKept
      ? this.addCell(name, outcome, limitName, tags)
      : this.otherCell(outcome, limitName);
    cell.count += 1;
    cell.cost += cost;
    return isKept;
  }

  private otherCell(outcome: number, limitName: string): UsageCell {
    const other = limitName === '' ? '' : OTHER;
    const name = `${outcome} ${other} ${OTHER}`;
    return this.cells.get(name) ?? this.addCell(name, outcome, other, [OTHER]);
  }

  private addCell(name: string, outcome: number, limitName: string, tags: readonly string[]) {
    const cell = { outcome, limitName, tags, count: 0, cost: 0 };
    if (this.cells === NO_CELLS) this.cells = new Map();
    this.cells.set(name, cell);
    return cell;
  }
}
