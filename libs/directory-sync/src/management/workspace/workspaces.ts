/** Connects workspace directories to their providers: the code flow of OAuth with PKCE. */
import { type AdminEvent, adminEventOf, type AuditEvents } from '@gatehouse/kit/audit';
import { type CallContext } from '@gatehouse/kit/clients';
import { DomainError, KitErrors } from '@gatehouse/kit/errors';
import { isUuid } from '@gatehouse/kit/ids';
import { InputReader, invalidField } from '@gatehouse/kit/input';
import { type Tokens, WorkspaceError } from '@gatehouse/workspace-providers';
import { LIBRARY_CALL } from '../../audit/audit-table.js';
import { type Connection } from '../../connections/connection.types.js';
import { type Directory } from '../../directories/directory.entity.js';
import { type DirectoryRepository } from '../../directories/directory.repository.js';
import { type DirectoryView } from '../../directories/directory.types.js';
import { directoryView } from '../../directories/directory.view.js';
import { SyncErrors } from '../../sync.errors.js';
import {
  type AuthorizationAnswer,
  type ConsentEnd,
  accountDetails,
  type Consents,
  type GrantedAccess,
  readAnswer,
} from '../../workspace/consents.js';
import { type OAuthStates, type ReadState } from '../../workspace/oauth-states.js';
import { type WorkspaceConnectionsContext } from '../../workspace/workspace-connections.js';
import { notFound } from '../../sync.errors.js';

const TEXT = { max: 4_096 };
const USED =
  'is unknown, was used before, or is older than 10 minutes; open a new authorization URL';

/** Tokens in the names of OAuth; the time is in milliseconds since 1970. */
export interface TokensView {
  access_token: string;
  refresh_token: string | null;
  scope: string;
  token_type: string;
  expiry_date: number | null;
}

export interface WorkspaceContext extends WorkspaceConnectionsContext {
  directories: DirectoryRepository;
  states: OAuthStates;
  consents: Consents;
  audit: AuditEvents<AdminEvent>;
  externalUrl: string;
}

type WorkspaceDirectory = Directory & { connection: Connection };

/** The `workspace` operations of the controller object. */
export class Workspace {
  constructor(private readonly context: WorkspaceContext) {}

  /** The address at which an administrator consents, for 10 minutes. 400 if no consent is needed. */
  async generateAuthorizationUrl(
    of: string | { directoryId: string },
    call: CallContext = LIBRARY_CALL,
  ): Promise<{ authorizationUrl: string }> {
    const id = typeof of === 'string' ? of : of?.directoryId;
    const directory = await this.require(id);
    const { sql, audit, consents } = this.context;
    const change = { type: 'directory.authorization_started', targetId: directory.id } as const;
    const authorizationUrl = await sql.transaction(async (executor) => {
      await audit.insert([adminEventOf(change, call)], executor);
      const beginner = { caller: call.caller, linkId: null };
      return consents.begin(directory, beginner, executor).catch(throwReadable);
    });
    return { authorizationUrl };
  }

  /**
   * Exchanges the code of an authorization, without storing the tokens: `setToken` does. With `state`,
   * the code must belong to that authorization; else to the newest of the directory.
   */
  async getAccessToken(input: {
    directoryId: string;
    code: string;
    state?: string;
  }): Promise<TokensView> {
    const reader = InputReader.of(input);
    const directory = await this.require(reader.requiredText('directoryId', TEXT));
    const code = reader.requiredText('code', TEXT);
    const state = reader.text('state', TEXT);
    reader.throwIfInvalid();
    const read = state === '' ? undefined : this.context.states.read(state);
    if (state !== '' && !isOf(read, directory)) throw invalidField('state', USED);
    return tokensView(await this.exchange(directory, code, read).catch(throwReadable));
  }

  /** Stores tokens; the directory is connected then. */
  async setToken(
    input: { directoryId: string; accessToken: string; refreshToken: string },
    call: CallContext = LIBRARY_CALL,
  ): Promise<DirectoryView> {
    const { directoryId, accessToken, refreshToken } = input ?? {};
    const directory = await this.require(directoryId);
    requireToken(accessToken, 'Access');
    requireToken(refreshToken, 'Refresh');
    const rest = { scope: '', tokenType: 'Bearer', expiresAt: null };
    const access = { tokens: { accessToken, refreshToken, ...rest }, account: null };
    const { sql, audit, consents, secrets, externalUrl } = this.context;
    const change = { type: 'directory.connected', targetId: directory.id };
    await sql.transaction(async (executor) => {
      await consents.replace(directory.id, access, executor);
      await audit.insert([adminEventOf(change, call)], executor);
    });
    return directoryView(await this.require(directoryId), secrets, externalUrl);
  }

  /** Handles the callback: exchanges the code and connects the directory that `state` names. */
  async completeAuthorization(
    answer: AuthorizationAnswer,
    call: CallContext = LIBRARY_CALL,
  ): Promise<{ directory_id: string; name: string }> {
    const { states, consents } = this.context;
    const read = readAnswer(answer);
    const state = states.read(read.state);
    // The consent of a setup link is ended by its session only.
    if (!state || state.linkId !== null) throw invalidField('state', USED);
    const directory = await this.require(state.directoryId).catch(() => {
      throw invalidField('state', USED);
    });
    const end = await consents.end(directory, state, read).catch(throwReadable);
    if (end.outcome === 'expired') throw invalidField('state', USED);
    if (end.outcome !== 'granted') throw invalidField('code', REFUSALS[end.outcome]);
    if (!(await this.connect(directory, end.grant, call))) {
      throw invalidField('code', REFUSALS.wrong_account);
    }
    return { directory_id: directory.id, name: directory.name };
  }

  /**
   * Forgets the tokens and the account of a directory, so that an administrator of any account can connect
   * it. Users and groups stay.
   */
  async disconnect(id: string, call: CallContext = LIBRARY_CALL): Promise<null> {
    const directory = await this.require(id);
    const { sql, audit, connections, consents } = this.context;
    consents.providerOf(directory.connection);
    const change = { type: 'directory.disconnected', targetId: id };
    await sql.transaction(async (executor) => {
      await connections.disconnect(executor, id);
      await audit.insert([adminEventOf(change, call)], executor);
    });
    return null;
  }

  private async exchange(
    directory: WorkspaceDirectory,
    code: string,
    state?: ReadState,
  ): Promise<Tokens> {
    const { connections, consents } = this.context;
    consents.providerOf(directory.connection);
    const authorization = await (state
      ? connections.takeAuthorization(state)
      : connections.takeNewestAuthorization(directory.id));
    if (!authorization) throw invalidField('state', USED);
    return consents.exchange(directory, code, authorization.verifierSealed);
  }

  /** The browser of an administrator ends what the caller has begun. */
  private async connect(
    { id }: Directory,
    grant: GrantedAccess,
    call: CallContext,
  ): Promise<boolean> {
    const { sql, audit, consents } = this.context;
    const change = { type: 'directory.connected', targetId: id, details: accountDetails(grant) };
    const event = adminEventOf(change, { ...call, caller: grant.caller ?? call.caller });
    return sql.transaction(async (executor) => {
      const isStored = await consents.store(id, grant, executor);
      if (isStored) await audit.insert([event], executor);
      return isStored;
    });
  }

  private async require(id: string | undefined): Promise<WorkspaceDirectory> {
    const directory = isUuid(id ?? '') ? await this.context.directories.find(id ?? '') : null;
    if (!directory) throw notFound('Directory not found.');
    const { connection } = directory;
    if (!connection) throw invalidField('directoryId', 'is not a workspace directory');
    return Object.assign(directory, { connection });
  }
}

/** A refused code is the caller's mistake; the rest is between this service and the provider. */
function throwReadable(error: unknown): never {
  if (!(error instanceof WorkspaceError)) throw error;
  const { kind, message } = error;
  if (kind === 'needs_authorization') throw invalidField('code', message);
  throw new DomainError(SyncErrors.PROVIDER_FAILED, { message, cause: error });
}

function requireToken(token: unknown, name: 'Access' | 'Refresh'): void {
  if (typeof token === 'string' && token !== '' && token.length <= TEXT.max) return;
  throw new DomainError(KitErrors.INVALID_ARGUMENT, { message: `${name} token is required` });
}

function isOf(state: ReadState | undefined, { id }: Directory): boolean {
  return state?.directoryId === id && state.linkId === null;
}

/** In words for an administrator; nothing that the provider said is repeated. */
const REFUSALS: Readonly<Record<Exclude<ConsentEnd['outcome'], 'granted' | 'expired'>, string>> = {
  refused: 'the administrator did not consent',
  unanswered: 'the provider sent no code; open a new authorization URL',
  incomplete: 'the consent does not include all scopes; open a new authorization URL',
  wrong_account: 'an administrator of another account has consented',
};

function tokensView(tokens: Tokens): TokensView {
  return {
    access_token: tokens.accessToken,
    refresh_token: tokens.refreshToken,
    scope: tokens.scope,
    token_type: tokens.tokenType,
    expiry_date: tokens.expiresAt?.getTime() ?? null,
  };
}
