/**
 * The consent of an administrator on the pages of a setup link. What the provider answers counts only for
 * the browser whose session began it, so an address that was forwarded or stolen connects nothing. The access
 * is stored in a transaction that locks the session: a revocation waits, or nothing is stored.
 */
import { adminEventOf, type AuditEvents } from '@gatehouse/kit/audit';
import { type CallContext } from '@gatehouse/kit/clients';
import { DomainError } from '@gatehouse/kit/errors';
import { type Sql } from '@gatehouse/kit/sql';
import { WorkspaceError } from '@gatehouse/workspace-providers';
import {
  type Connection,
  SyncErrors,
  type SyncLogger,
  type AuthorizationAnswer,
  type ConsentEnd,
  accountDetails,
  type Consents,
  type GrantedAccess,
  readAnswer,
  type OAuthStates,
  type RunRepository,
  type RunRow,
  type RunState,
} from '@gatehouse/directory-sync/parts';
import { type SetupLink } from './setup.types.js';

import {
  callerOf,
  callOf,
  enterSetup,
  lockSession,
  sessionGone,
  type SetupEntryContext,
} from './setup-entry.js';

export interface SetupConsentsContext extends SetupEntryContext {
  sql: Sql;
  audit: AuditEvents;
  consents: Consents;
  states: OAuthStates;
  runs: RunRepository;
  markConnected: (linkId: string) => Promise<void>;
  /** Announces a due run to the worker; a hint that may get lost. */
  wakeRun: (runId: string) => void;
  logger: SyncLogger;
}

/**
 * `stored`: the directory has the access. `foreign`: this browser did not begin the consent. `failed`: the
 * provider gave no access, or was not reached.
 */
export type SetupConsentOutcome =
  'stored' | 'foreign' | 'failed' | Exclude<ConsentEnd['outcome'], 'granted'>;

/** An access without refresh token would end within the hour, and replace one that lasts. */
const NOT_LASTING = 'The provider gave no refresh token, so the access would end soon.';

/** The state of the reading since the consent. */
export interface SetupReading {
  hasConsented: boolean;
  /** Whether users were read. */
  isConnected: boolean;
  /** The run since the consent; null before it. */
  run: SetupRun | null;
  /** Whether groups were chosen, and none of them was found. */
  hasNoGroup: boolean;
}

export interface SetupRun {
  state: RunState;
  /** Read so far. */
  users: number;
  groups: number;
  /** Whether nothing was listed, because nothing has changed since the run before. */
  isUnchanged: boolean;
  /** Why it failed, is held or waits, in words for an administrator. */
  error: string | null;
  /** Whether only another consent can give access. */
  needsConsent: boolean;
}

/** The `setupConsents` operations of the controller object. */
export class SetupConsents {
  constructor(private readonly context: SetupConsentsContext) {}

  /**
   * The address at which the administrator consents, once, for 10 minutes. 403 unless it is a workspace
   * directory, 409 if this service is no client of its provider.
   */
  async begin(cookie: string): Promise<{ authorizationUrl: string }> {
    const { link, directory } = await this.require(cookie);
    try {
      const beginner = { caller: callerOf(link), linkId: link.id };
      return { authorizationUrl: await this.context.consents.begin(directory, beginner) };
    } catch (error) {
      throw withoutClient(error);
    }
  }

  /** Whether what a provider answered belongs to a setup link. */
  isOfSetup(answer: AuthorizationAnswer): boolean {
    const state = typeof answer?.state === 'string' ? answer.state : '';
    return (this.context.states.read(state)?.linkId ?? null) !== null;
  }

  /**
   * Ends the consent with what the provider answered. A consent that was given is stored, and a run is
   * started. 410 if the session has ended, also while the provider was asked.
   */
  async finish(
    cookie: string,
    answer: AuthorizationAnswer,
    call: CallContext,
  ): Promise<{ outcome: SetupConsentOutcome }> {
    const read = readAnswer(answer);
    const { link, directory } = await this.require(cookie);
    const state = this.context.states.read(read.state);
    if (!state || state.linkId !== link.id) return { outcome: 'foreign' };
    let end: ConsentEnd;
    try {
      end = await this.context.consents.end(directory, state, read);
    } catch (error) {
      return { outcome: this.failure(error, link) };
    }
    if (end.outcome !== 'granted') return { outcome: end.outcome };
    if (end.grant.tokens?.refreshToken === null) {
      return { outcome: this.failure(new WorkspaceError('invalid_response', NOT_LASTING), link) };
    }
    const isStored = await this.store(link, end.grant, callOf(link, call));
    return { outcome: isStored ? 'stored' : 'wrong_account' };
  }

  /** The state of the reading since the consent. */
  async reading(cookie: string): Promise<SetupReading> {
    const { link, directory } = await this.require(cookie);
    const { setups } = this.context;
    const { consentedAt } = link;
    const nothing = { isConnected: false, run: null, hasNoGroup: false };
    if (!consentedAt) return { hasConsented: false, ...nothing };
    const last = await this.context.runs.findLast(directory.id);
    const isConnected = link.connectedAt !== null || (!!last && hasRead(last, consentedAt));
    if (isConnected && !link.connectedAt) await this.context.markConnected(link.id);
    const isSince = last && (!last.finishedAt || last.finishedAt >= consentedAt);
    const run = isSince ? runOf(last, directory.connection) : null;
    const hasChosen = (last?.settings?.include_groups?.length ?? 0) > 0;
    const isMissing = hasChosen && run?.state === 'succeeded';
    const hasNoGroup = isMissing && (await setups.groups(directory.id, 1)).length === 0;
    return { hasConsented: true, isConnected, run, hasNoGroup };
  }

  /** @returns false if the directory is connected to another account */
  private async store(link: SetupLink, grant: GrantedAccess, call: CallContext): Promise<boolean> {
    const { sql, audit, directories, setups, consents, runs, wakeRun } = this.context;
    const { id: linkId, directoryId } = link;
    const eventOf = (type: string, details: Record<string, string>) =>
      adminEventOf({ type, targetId: directoryId, details }, call);
    const stored = await sql.transaction(async (executor) => {
      // The directory first, as in createToken, so that the two never wait for each other.
      if (!(await directories.lockForEndpoints(executor, directoryId))) throw sessionGone();
      await lockSession(setups, linkId, executor);
      if (!(await consents.store(directoryId, grant, executor))) return undefined;
      await setups.recordConsent(linkId, executor);
      const started = await runs.insert(directoryId, 'demand', executor);
      const details = { link_id: linkId, ...accountDetails(grant) };
      const events = [eventOf('directory.connected', details)];
      if (started) events.push(eventOf('directory.sync_started', { run_id: started.id }));
      await audit.insert(events, executor);
      return { run: started };
    });
    if (stored?.run) wakeRun(stored.run.id);
    return stored !== undefined;
  }

  /** Why the provider gave no access. Its words are for operators: they may name settings of this service. */
  private failure(error: unknown, { id, directoryId }: SetupLink): SetupConsentOutcome {
    if (!(error instanceof WorkspaceError)) throw error;
    const fields = { linkId: id, directoryId, reason: error.message };
    this.context.logger.warn(fields, 'a consent of a setup link failed');
    return error.kind === 'needs_authorization' ? 'expired' : 'failed';
  }

  private async require(cookie: string) {
    const { link, directory } = await enterSetup(this.context, cookie);
    const { connection } = directory;
    if (!connection) throw new DomainError(SyncErrors.SETUP_NOT_ALLOWED);
    return { link, directory: Object.assign(directory, { connection }) };
  }
}

/** The error of a provider that this service is no client of. */
export function withoutClient(error: unknown): unknown {
  if (!(error instanceof WorkspaceError)) return error;
  return new DomainError(SyncErrors.SETUP_WITHOUT_CLIENT, { message: error.message, cause: error });
}

/** Whether users were read since the consent; as HAS_READ of setup.sql.ts. */
function hasRead({ createdAt, finishedAt, pages, state }: RunRow, consentedAt: Date): boolean {
  const hasPages = createdAt >= consentedAt && pages > 0;
  return hasPages || (state === 'succeeded' && !!finishedAt && finishedAt >= consentedAt);
}

function runOf(run: RunRow, connection: Connection): SetupRun {
  const { state, counts, error, unchangedSince } = run;
  return {
    state,
    users: counts.users_listed,
    groups: counts.groups_listed,
    isUnchanged: unchangedSince !== null,
    error,
    needsConsent: connection.state === 'needs_authorization',
  };
}
