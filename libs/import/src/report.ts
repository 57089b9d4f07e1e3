/** The report of an import, as tables for people and as JSON for programs. */
import { writeFileSync } from 'node:fs';
import {
  type DirectoryReport,
  type ImportConflict,
  type ImportCounts,
} from '@gatehouse/directory-sync/imports';
import { type Progress } from '#local-stack/progress.mjs';
import { table } from '#local-stack/summary.mjs';
import { callersPath } from './rows.js';

/** Rows that are printed; the file has all. */
const DIRECTORIES_SHOWN = 50;
const CONFLICTS_SHOWN = 20;

export const EXIT = { done: 0, failed: 1, usage: 2, conflicts: 3 } as const;

/** @returns the exit code */
export function reportDirectories(
  progress: Progress,
  reports: readonly DirectoryReport[],
  { isDryRun, file }: { isDryRun: boolean; file: string | undefined },
): number {
  const shown = reports
    .slice(0, DIRECTORIES_SHOWN)
    .map((report) => [
      report.id,
      `${report.tenant} / ${report.product}`,
      outcomeOf(report, isDryRun),
      ...[report.users, report.groups, report.members].map(countsText),
      String(report.conflictCount),
    ]);
  const head = [
    'Directory',
    'Tenant / product',
    'Outcome',
    'Users',
    'Groups',
    'Members',
    'Conflicts',
  ];
  progress.say(`\n${table([head, ...shown])}`);
  if (reports.length > shown.length) progress.say(`… and ${reports.length - shown.length} more`);
  for (const { id, error } of reports) if (error) progress.say(`\n✗ ${id}: ${error}`);
  const conflicts = reports.flatMap(({ id, conflicts }) =>
    conflicts.map((conflict) => ({ directory: id, ...conflict })),
  );
  const count = reports.reduce((sum, { conflictCount }) => sum + conflictCount, 0);
  sayConflicts(progress, conflicts, count);
  if (file !== undefined) {
    const content = { dry_run: isDryRun, directories: reports };
    writeFileSync(callersPath(file), `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
    progress.say(`\nThe whole report is in ${file}.`);
  }
  if (reports.some(({ outcome }) => outcome === 'failed')) return EXIT.failed;
  return count > 0 ? EXIT.conflicts : EXIT.done;
}

export function sayConflicts(
  progress: Progress,
  conflicts: readonly ImportConflict[],
  count: number,
): void {
  if (count === 0) return;
  const rows = conflicts
    .slice(0, CONFLICTS_SHOWN)
    .map(({ kind, id, reason, detail }) => [reason, kind, id, detail]);
  progress.say(`\n${table([['Conflict', 'Of', 'Id', 'Detail'], ...rows])}`);
  if (count > rows.length) progress.say(`… and ${count - rows.length} more (--report FILE)`);
}

const PLANNED = { imported: 'would import', compared: 'would compare' } as const;

function outcomeOf({ outcome }: DirectoryReport, isDryRun: boolean): string {
  const isPlan = isDryRun && (outcome === 'imported' || outcome === 'compared');
  return isPlan ? PLANNED[outcome] : outcome;
}

/** Summary such as `+10 ~2 -1 =30`: created, updated, deleted, unchanged. */
function countsText({ created, updated, deleted, unchanged }: ImportCounts): string {
  const parts = { '+': created, '~': updated, '-': deleted, '=': unchanged };
  const texts = Object.entries(parts).filter(([, count]) => count > 0);
  return texts.map(([sign, count]) => sign + count).join(' ') || '0';
}
