/**
 * The groups of a workspace that the administrator who has a setup link chooses: the setting
 * `include_groups` of the directory. All other settings stay as they are.
 */
import { sha256 } from '@gatehouse/crypto';
import { adminEventOf, type AuditEvents } from '@gatehouse/kit/audit';
import { type CallContext } from '@gatehouse/kit/clients';
import { DomainError } from '@gatehouse/kit/errors';
import { InputReader } from '@gatehouse/kit/input';
import { type Sql } from '@gatehouse/kit/sql';
import {
  SyncErrors,
  type RunRepository,
  readSettings,
  type SettingsRepository,
} from '@gatehouse/directory-sync/parts';

import {
  callOf,
  enterSetup,
  lockSession,
  sessionGone,
  type SetupEntryContext,
} from './setup-entry.js';

export interface SetupGroupChoice {
  /** By name, email or id; empty: all. */
  groups: readonly string[];
  /** ETag of this choice. */
  etag: string;
}

export interface SetupGroupsContext extends SetupEntryContext {
  sql: Sql;
  audit: AuditEvents;
  settings: SettingsRepository;
  runs: RunRepository;
  /** Announces a due run to the worker; a hint that may get lost. */
  wakeRun: (runId: string) => void;
}

/**
 * The `setupGroups` operations of the controller object. Both resolve to 410 without a session that is
 * open, and to 403 unless its link allows groups.
 */
export class SetupGroups {
  constructor(private readonly context: SetupGroupsContext) {}

  async get(cookie: string): Promise<SetupGroupChoice> {
    const { link } = await enterSetup(this.context, cookie, 'groups');
    const { include_groups: groups } = await this.context.settings.find(link.directoryId);
    return { groups, etag: etagOf(groups) };
  }

  /**
   * Stores a choice; empty: all groups. If consent was given, a run begins to apply it. 409 if the choice
   * was changed since `etag`, 400 for what names no group.
   */
  async put(
    cookie: string,
    groups: readonly string[],
    etag: string,
    call: CallContext,
  ): Promise<null> {
    const { link, directory } = await enterSetup(this.context, cookie, 'groups');
    const chosen = chosenIn(groups);
    const { sql, audit, directories, setups, settings, runs, wakeRun } = this.context;
    const { id: linkId, directoryId } = link;
    const eventOf = (type: string, details: Record<string, string | string[]>) =>
      adminEventOf({ type, targetId: directoryId, details }, callOf(link, call));
    const run = await sql.transaction(async (executor) => {
      // The directory first, as in other operations of the pages, so that they never wait for each other.
      if (!(await directories.lockForEndpoints(executor, directoryId))) throw sessionGone();
      await lockSession(setups, linkId, executor);
      const current = await settings.find(directoryId, executor);
      if (etagOf(current.include_groups) !== etag) {
        throw new DomainError(SyncErrors.SETUP_MAPPING_CHANGED);
      }
      if (etagOf(chosen) === etag) return undefined;
      await settings.store(directoryId, { ...current, include_groups: chosen }, executor);
      const details = { fields: ['include_groups'], link_id: linkId };
      const events = [eventOf('directory.workspace_settings_changed', details)];
      const isRead = link.consentedAt !== null && !directory.deactivated;
      const started = isRead ? await runs.insert(directoryId, 'demand', executor) : undefined;
      if (started) events.push(eventOf('directory.sync_started', { run_id: started.id }));
      await audit.insert(events, executor);
      return started;
    });
    if (run) wakeRun(run.id);
    return null;
  }
}

/** By the rules of the setting, each once. @throws DomainError 400 */
function chosenIn(groups: unknown): string[] {
  const input = InputReader.of({ include_groups: groups });
  const { include_groups: names = [] } = readSettings(input);
  input.throwIfInvalid();
  return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()];
}

/** The same for the same groups, in whatever order. */
function etagOf(groups: readonly string[]): string {
  return sha256(JSON.stringify([...groups].sort()))
    .toString('base64url')
    .slice(0, 22);
}
