import {
  CONFLICT_REASONS,
  type ConflictReason,
  type DirectoryReport,
  type ImportConflict,
  type ImportCounts,
  type SourceDirectory,
} from './import.types.js';

/** Conflicts of one directory that a report shows in full. */
const CONFLICTS_SHOWN = 10_000;

const noCounts = (): ImportCounts => ({ created: 0, updated: 0, deleted: 0, unchanged: 0 });

export function newReport({ id, tenant, product }: SourceDirectory): DirectoryReport {
  return {
    id,
    tenant,
    product,
    outcome: 'skipped',
    error: null,
    users: noCounts(),
    groups: noCounts(),
    members: noCounts(),
    conflicts: [],
    conflictCount: 0,
  };
}

export function addConflict(
  report: DirectoryReport,
  kind: ImportConflict['kind'],
  id: string,
  reason: ConflictReason,
  detail = '',
): void {
  report.conflictCount += 1;
  if (report.conflicts.length >= CONFLICTS_SHOWN) return;
  report.conflicts.push({ kind, id, reason, detail: detail || CONFLICT_REASONS[reason] });
}
