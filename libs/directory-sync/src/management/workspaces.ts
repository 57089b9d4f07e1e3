/** Connects workspace directories to their providers: the code flow of OAuth with PKCE. */
import { randomToken, sha256 } from '@gatehouse/crypto';
import {
  type AdminEvent,
  adminEventOf,
  type AuditEvents,
  type CallContext,
  DomainError,
  InputReader,
  invalidField,
  isUuid,
  KitErrors,
} from '@gatehouse/service-kit';
import { type Tokens, WorkspaceError } from '@gatehouse/workspace';
import { LIBRARY_CALL } from '../audit/audit-table.js';
import { type Connection } from '../connections/connection.types.js';
import { type Directory } from '../directories/directory.entity.js';
import { type DirectoryRepository } from '../directories/directory.repository.js';
import { type DirectoryView } from '../directories/directory.types.js';
import { directoryView } from '../directories/directory.view.js';
import { SyncErrors } from '../sync.errors.js';
import { type SyncLogger } from '../sync-logger.js';
import { type OAuthStates } from '../workspace/oauth-states.js';
import {
  sealedTokens,
  type WorkspaceConnectionsContext,
} from '../workspace/workspace-connections.js';
import { notFound, type Result, resultOf } from './result.js';

export const CALLBACK_PATH = '/api/scim/oauth/callback';

const STATE_TTL_SECONDS = 600;
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

/** What a provider adds to the address that it sends the administrator back to. */
export interface AuthorizationAnswer {
  state?: unknown;
  code?: unknown;
  error?: unknown;
  /** `True` after the consent to the permissions of an application, which brings no code. */
  admin_consent?: unknown;
}

export interface WorkspaceContext extends WorkspaceConnectionsContext {
  directories: DirectoryRepository;
  states: OAuthStates;
  audit: AuditEvents<AdminEvent>;
  externalUrl: string;
  logger: SyncLogger;
}

type WorkspaceDirectory = Directory & { connection: Connection };

/** The `workspace` operations of the controller object. */
export class Workspace {
  constructor(private readonly context: WorkspaceContext) {}

  /** The address at which an administrator consents, for 10 minutes. 400 if no consent is needed. */
  generateAuthorizationUrl(
    directory: string | { directoryId: string },
  ): Promise<Result<{ authorizationUrl: string }>> {
    return this.operation(async () => {
      const { id, connection } = await this.require(
        typeof directory === 'string' ? directory : directory?.directoryId,
      );
      const { connections, secrets, states } = this.context;
      const { state, sha256: stateSha256 } = states.issue(id);
      const verifier = randomToken();
      const authorizationUrl = this.providerOf(connection).authorizationUrl({
        state,
        codeChallenge: sha256(verifier).toString('base64url'),
        redirectUri: this.redirectUri,
        domain: connection.domain,
      });
      const verifierSealed = secrets.seal(id, 'workspace_verifier', verifier);
      const authorization = { stateSha256, directoryId: id, verifierSealed };
      await connections.beginAuthorization(authorization, STATE_TTL_SECONDS);
      return { authorizationUrl };
    });
  }

  /**
   * Exchanges the code of an authorization, without storing the tokens: `setToken` does. With `state`,
   * the code must belong to that authorization; else to the newest of the directory.
   */
  getAccessToken(input: {
    directoryId: string;
    code: string;
    state?: string;
  }): Promise<Result<TokensView>> {
    return this.operation(async () => {
      const reader = InputReader.of(input);
      const directory = await this.require(reader.requiredText('directoryId', TEXT));
      const code = reader.requiredText('code', TEXT);
      const state = reader.text('state', TEXT);
      reader.throwIfInvalid();
      const read = state === '' ? undefined : this.context.states.read(state);
      const isForeign = state !== '' && read?.directoryId !== directory.id;
      if (isForeign) throw invalidField('state', USED);
      return tokensView(await this.exchange(directory, code, read?.sha256));
    });
  }

  /** Stores tokens; the directory is connected then. */
  setToken(
    input: { directoryId: string; accessToken: string; refreshToken: string },
    call: CallContext = LIBRARY_CALL,
  ): Promise<Result<DirectoryView>> {
    return this.operation(async () => {
      const { directoryId, accessToken, refreshToken } = input ?? {};
      const directory = await this.require(directoryId);
      requireToken(accessToken, 'Access');
      requireToken(refreshToken, 'Refresh');
      const rest = { scope: '', tokenType: 'Bearer', expiresAt: null };
      await this.connect(directory, { accessToken, refreshToken, ...rest }, call);
      const { secrets, externalUrl } = this.context;
      return directoryView(await this.require(directoryId), secrets, externalUrl);
    });
  }

  /** What the callback does: exchanges the code and connects the directory of the state. */
  completeAuthorization(
    answer: AuthorizationAnswer,
    call: CallContext = LIBRARY_CALL,
  ): Promise<Result<{ directory_id: string; name: string }>> {
    return this.operation(async () => {
      const input = InputReader.ofQuery(answer ?? {});
      const state = this.context.states.read(input.requiredText('state', TEXT));
      const [error, code] = [input.text('error', TEXT), input.text('code', TEXT)];
      const isGranted = input.text('admin_consent', TEXT).toLowerCase() === 'true';
      input.throwIfInvalid();
      if (!state) throw invalidField('state', USED);
      const directory = await this.require(state.directoryId).catch(() => {
        throw invalidField('state', USED);
      });
      const { id, name } = directory;
      const kind = this.providerOf(directory.connection).consentKind(directory.connection);
      if (error === '' && kind === 'code' && code !== '') {
        const tokens = await this.exchange(directory, code, state.sha256);
        await this.connect(directory, tokens, call);
        return { directory_id: id, name };
      }
      const taken = await this.context.connections.takeAuthorization(id, state.sha256);
      if (taken === undefined) throw invalidField('state', USED);
      const isConsented = error === '' && kind === 'application' && isGranted;
      if (!isConsented) throw invalidField('code', refusalOf(error));
      const { sql, connections, audit } = this.context;
      const event = adminEventOf({ type: 'directory.connected', targetId: id }, call);
      await sql.transaction(async (executor) => {
        await connections.markAuthorized(id, executor);
        await audit.insert([event], executor);
      });
      return { directory_id: id, name };
    });
  }

  private get redirectUri(): string {
    return this.context.externalUrl + CALLBACK_PATH;
  }

  private async exchange({ id, connection }: WorkspaceDirectory, code: string, state?: Buffer) {
    const { connections, secrets } = this.context;
    const sealed = await connections.takeAuthorization(id, state);
    if (sealed === undefined) throw invalidField('state', USED);
    const codeVerifier = secrets.open(id, 'workspace_verifier', sealed);
    const { redirectUri } = this;
    return this.providerOf(connection).exchange({ code, codeVerifier, redirectUri });
  }

  private async connect({ id }: Directory, tokens: Tokens, call: CallContext): Promise<void> {
    const { sql, audit, connections, secrets } = this.context;
    const event = adminEventOf({ type: 'directory.connected', targetId: id }, call);
    await sql.transaction(async (executor) => {
      await connections.setTokens(executor, id, sealedTokens(secrets, id, tokens));
      await audit.insert([event], executor);
    });
  }

  private providerOf({ provider: name, administrator }: Connection) {
    const provider = this.context.providers.of(name);
    if (provider.consentKind({ administrator }) !== 'none') return provider;
    throw invalidField('directoryId', 'the directory is read without consent');
  }

  private async require(id: string | undefined): Promise<WorkspaceDirectory> {
    const directory = isUuid(id ?? '') ? await this.context.directories.find(id ?? '') : null;
    if (!directory) throw notFound('Directory not found.');
    const { connection } = directory;
    if (!connection) throw invalidField('directoryId', 'is not a workspace directory');
    return Object.assign(directory, { connection });
  }

  private operation<T>(work: () => Promise<T>): Promise<Result<T>> {
    return resultOf(this.context.logger, () => work().catch(throwDomainError));
  }
}

/** A refused code is the caller's mistake; the rest is between this service and the provider. */
function throwDomainError(error: unknown): never {
  if (!(error instanceof WorkspaceError)) throw error;
  const { kind, message } = error;
  if (kind === 'needs_authorization') throw invalidField('code', message);
  throw new DomainError(SyncErrors.PROVIDER_FAILED, { message, cause: error });
}

function requireToken(token: unknown, name: 'Access' | 'Refresh'): void {
  if (typeof token === 'string' && token !== '' && token.length <= TEXT.max) return;
  throw new DomainError(KitErrors.INVALID_ARGUMENT, { message: `${name} token is required` });
}

/** What the provider said instead of sending a code. Only a known word is repeated. */
function refusalOf(error: string): string {
  return error === 'access_denied'
    ? 'the administrator did not consent'
    : 'the provider sent no code; open a new authorization URL';
}

function tokensView(tokens: Tokens): TokensView {
  return {
    access_token: tokens.accessToken,
    refresh_token: tokens.refreshToken,
    scope: tokens.scope,
    token_type: tokens.tokenType,
    expiry_date: tokens.expiresAt?.getTime() ?? null,
  };
}
