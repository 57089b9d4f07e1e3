import { type SqlExecutor } from '@gatehouse/kit/sql';
import { addConflict } from './import-report.js';
import {
  type ConflictReason,
  type DirectoryReport,
  type ImportConflict,
  type ImportOptions,
  type ResourceKind,
} from './import.types.js';
import { type Room } from './room.js';

/** State shared by the parts of one import: its transaction and its report. */
export interface ImportScope {
  sql: SqlExecutor;
  directoryId: string;
  directoryType: string;
  report: DirectoryReport;
  room: Room;
  options: ImportOptions;
}

/** A resource that was imported before. */
export interface Known {
  id: string;
  hash: string;
  /** The version that the import wrote. */
  version: number;
  /** The version that it has now; null if it is gone. */
  current: number | null;
  bytes: number | null;
  members: string[];
}

export function countsOf({ report }: ImportScope, kind: ResourceKind) {
  return kind === 'user' ? report.users : report.groups;
}

export function usageOf(kind: ResourceKind, count: number, bytes: number) {
  return { users: kind === 'user' ? count : 0, groups: kind === 'group' ? count : 0, bytes };
}

export function conflict(
  scope: ImportScope,
  kind: ImportConflict['kind'],
  id: string,
  reason: ConflictReason,
  detail = '',
): void {
  addConflict(scope.report, kind, id, reason, detail);
}
