/** The report of an import of single records: keys, or identities. */
import { writeFileSync } from 'node:fs';
import { type Progress } from '#local-stack/progress.mjs';
import { table } from '#local-stack/summary.mjs';
import { EXIT } from './report.js';
import { callersPath } from './rows.js';

const CONFLICTS_SHOWN = 20;

export interface RecordConflict {
  /** The id at the source, or the line of a file; never a credential. */
  record: string;
  reason: string;
  detail: string;
}

function counted(count: number, noun: string): string {
  const plural = noun.endsWith('ity') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${count} ${count === 1 ? noun : plural}`;
}

export class RecordReport {
  imported = 0;
  unchanged = 0;
  readonly conflicts: RecordConflict[] = [];
  /** New ids by those of the source. */
  readonly ids: Record<string, string> = {};

  constructor(
    private readonly noun: 'key' | 'identity',
    readonly isDryRun: boolean,
  ) {}

  conflict(record: string, reason: string, detail = ''): void {
    this.conflicts.push({ record, reason, detail });
  }

  /** @returns the exit code */
  print(progress: Progress, file: string | undefined): number {
    const { imported, unchanged, conflicts, ids, isDryRun } = this;
    const records = counted(imported, this.noun);
    const imports = isDryRun ? 'would be imported' : 'imported';
    // A dry run does not ask for each identity whether it is there.
    const others =
      isDryRun && this.noun === 'identity'
        ? 'unless they are there already'
        : `${unchanged} were there already`;
    progress.say(`\n${records} ${imports}, ${others}; ${counted(conflicts.length, 'conflict')}.`);
    if (conflicts.length > 0) {
      const rows = conflicts
        .slice(0, CONFLICTS_SHOWN)
        .map(({ record, reason, detail }) => [reason, record, detail]);
      progress.say(`\n${table([['Conflict', 'Record', 'Detail'], ...rows])}`);
      const more = conflicts.length - rows.length;
      if (more > 0) progress.say(`… and ${more} more (--report FILE)`);
    }
    if (file !== undefined) {
      const content = { dry_run: isDryRun, imported, unchanged, conflicts, ids };
      writeFileSync(callersPath(file), `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
      progress.say(`\nThe whole report is in ${file}.`);
    }
    if (isDryRun) progress.say('\nNothing was written. Add --apply to import.');
    return conflicts.length > 0 ? EXIT.conflicts : EXIT.done;
  }
}
