/**
 * Types of an import: the data it reads from a source, and its report. A source only describes its
 * content; the import decides what is written or refused.
 */
import { type JsonObject } from '@gatehouse/scim';

/** A directory of another product, with its secrets in plain text. Unset texts are empty. */
export interface SourceDirectory {
  id: string;
  name: string;
  tenant: string;
  product: string;
  type: string;
  deactivated: boolean;
  scimSecret: string;
  webhookUrl: string;
  webhookSecret: string;
  logsWebhookEvents: boolean;
  /** The connection of a directory that is read from its provider. */
  workspace: { domain: string; accessToken: string; refreshToken: string } | null;
}

export interface SourceUser {
  id: string;
  resource: JsonObject;
}

export interface SourceGroup extends SourceUser {
  /** The ids of its members; a user may be named twice. */
  memberIds: readonly string[];
}

export type ResourceKind = 'user' | 'group';

/** The users and groups of one directory. A listing may be started again. */
export interface DirectoryContent {
  users(): AsyncIterable<readonly SourceUser[]>;
  groups(): AsyncIterable<readonly SourceGroup[]>;
  /** The given ids that the source has deleted. */
  deleted(kind: ResourceKind, ids: readonly string[]): Promise<string[]>;
}

export const CONFLICT_REASONS = {
  directory_exists: 'a directory with this id exists that was not imported',
  directory_elsewhere: 'the directory with this id belongs to another tenant or product',
  directory_activated: 'the import of this directory was completed',
  directory_deleted: 'the imported directory was deleted here',
  directory_invalid: 'the directory cannot be stored',
  directory_changed: 'the directory was changed here and at the source; it stays as it is here',
  workspace_resources: 'users and groups of a workspace directory come with its first run',
  id_invalid: 'the id is not a UUID',
  id_taken: 'the id belongs to another directory, or to a user or group that was not imported',
  name_taken: 'another user of the directory has this userName, compared without case',
  group_name_taken: 'another group of the directory has this name, which its type forbids',
  resource_invalid: 'the user or group cannot be stored',
  over_quota: 'the directory has no room left',
  changed_here: 'it was changed here and at the source; it stays as it is here',
  deleted_here: 'it was deleted here and changed at the source',
  orphan_member: 'the member is no user or group of the directory',
} as const;

export type ConflictReason = keyof typeof CONFLICT_REASONS;

/** Something that was left out, or left as it is. */
export interface ImportConflict {
  kind: 'directory' | 'member' | ResourceKind;
  id: string;
  reason: ConflictReason;
  detail: string;
}

export interface ImportCounts {
  created: number;
  updated: number;
  deleted: number;
  unchanged: number;
}

/**
 * `imported`: new; `compared`: imported before, now as at the source; `skipped`: see its conflicts;
 * `failed`: nothing was written.
 */
export type ImportOutcome = 'imported' | 'compared' | 'skipped' | 'failed';

export interface DirectoryReport {
  id: string;
  tenant: string;
  product: string;
  outcome: ImportOutcome;
  /** Why it failed. */
  error: string | null;
  users: ImportCounts;
  groups: ImportCounts;
  members: ImportCounts;
  /** The first ones; `conflictCount` counts all. */
  conflicts: ImportConflict[];
  conflictCount: number;
}

export interface ImportOptions {
  /** Write nothing; report what would be written. */
  isDryRun: boolean;
  /** Only directories that were imported before. */
  isDelta: boolean;
  signal?: AbortSignal;
  /** Called after each batch with the number of users and groups that were read. */
  onProgress?: (read: number) => void;
}

export interface ImportedDirectory {
  id: string;
  tenant: string;
  product: string;
}

export interface DiscardedImport extends ImportedDirectory {
  /** Events since the import, which are never sent; at most 10,000 are counted. */
  events: number;
}
