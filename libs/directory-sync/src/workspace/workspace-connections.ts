/**
 * Opens sessions of workspace directories. Tokens are opened and sealed here; refreshed ones are saved
 * under the lock of their row, so of several processes one refreshes and the others use its tokens. A
 * provider that no longer gives access changes the state of the directory, once.
 */
import { type Sql } from '@gatehouse/kit/sql';
import {
  type Changes,
  type Credentials,
  type Providers,
  type StoredTokens,
  type Tokens,
  type Topic,
  type WorkspaceChannels,
  WorkspaceError,
  type WorkspaceSession,
} from '@gatehouse/workspace-providers';
import { type ConnectionRepository } from '../connections/connection.repository.js';
import {
  type Connection,
  NOT_CONNECTED,
  type SealedTokens,
} from '../connections/connection.types.js';
import { insertNotice } from '../directories/directory-notices.js';
import { type DirectorySecrets } from '../directories/directory-secrets.js';

export interface WorkspaceConnectionsContext {
  sql: Sql;
  connections: ConnectionRepository;
  secrets: DirectorySecrets;
  providers: Providers;
}

/** The data with which the channels of a directory are opened. */
export interface WatchableDirectory {
  topics: readonly Topic[];
  channels: WorkspaceChannels;
  /** The users and groups whose changes are notified, to compare. */
  watched: string;
}

export class WorkspaceConnections {
  constructor(private readonly context: WorkspaceConnectionsContext) {}

  /** @throws WorkspaceError `needs_authorization` if the directory has no access */
  async open(directoryId: string): Promise<WorkspaceSession> {
    const { provider, credentials, watched } = await this.access(directoryId);
    return new WatchedSession(provider.open(credentials), watched);
  }

  /**
   * For the notification channels of a directory. A refusal does not change its state, because it may
   * still be read.
   *
   * @throws as `open`
   */
  async watch(directoryId: string): Promise<WatchableDirectory> {
    const { provider, credentials } = await this.access(directoryId);
    const { domain, administrator } = credentials;
    return {
      topics: provider.topics,
      channels: provider.channels(credentials),
      watched: JSON.stringify([domain, administrator]),
    };
  }

  /** The account that is read with the stored access; null if it is unknown. @throws as `open` */
  async accountOf(directoryId: string): Promise<string | null> {
    const { provider, credentials } = await this.access(directoryId);
    return provider.accountOf(credentials);
  }

  private async access(directoryId: string) {
    const connection = await this.context.connections.find(directoryId);
    if (!connection) throw new WorkspaceError('needs_authorization', NOT_CONNECTED);
    const provider = this.context.providers.of(connection.provider);
    const { domain, administrator, accessTokenSealed, state, disconnected, reason } = connection;
    const isOwn = provider.consentKind({ administrator }) !== 'code';
    // Its own access may be restored at the provider without this service; a consent may not.
    const isLost = accessTokenSealed === null || state === 'needs_authorization';
    if (isOwn ? disconnected : isLost) {
      throw new WorkspaceError('needs_authorization', reason ?? NOT_CONNECTED);
    }
    const watched = new WatchedTokens(this.context, connection);
    const tokens = isOwn ? null : watched;
    const credentials: Credentials = { directoryId, domain, administrator, tokens };
    return { provider, credentials, watched };
  }
}

/** The tokens of a connection as a session uses them, and what becomes of its access. */
class WatchedTokens implements StoredTokens {
  constructor(
    private readonly context: WorkspaceConnectionsContext,
    private connection: Connection,
  ) {}

  /** Changes with whose users are read. */
  get version(): number {
    return this.connection.version;
  }

  current(): Promise<Tokens> {
    return Promise.resolve(openedTokens(this.context.secrets, this.connection));
  }

  replace(stale: Tokens, refresh: (refreshToken: string) => Promise<Tokens>): Promise<Tokens> {
    const { sql, connections, secrets } = this.context;
    const { directoryId } = this.connection;
    // Never repeated: a refresh token may be valid once.
    const options = { retry: 'never' } as const;
    return sql.transaction(async (locked) => {
      const now = await connections.lock(locked, directoryId);
      if (!now || now.accessTokenSealed === null) {
        throw new WorkspaceError('needs_authorization', NOT_CONNECTED);
      }
      this.connection = now;
      const stored = openedTokens(secrets, now);
      if (stored.accessToken !== stale.accessToken) return stored;
      if (stored.refreshToken === null) {
        throw new WorkspaceError('needs_authorization', 'The access has expired; connect again.');
      }
      const { refreshToken } = stored;
      const answered = await refresh(refreshToken);
      // Without a new refresh token, the old one stays valid.
      const fresh = { ...answered, refreshToken: answered.refreshToken ?? refreshToken };
      await connections.setTokens(locked, directoryId, sealedTokens(secrets, directoryId, fresh));
      this.connection = { ...now, version: now.version + 1 };
      return fresh;
    }, options);
  }

  async worked(): Promise<void> {
    const { directoryId, state } = this.connection;
    if (state === 'authorized') return;
    await this.context.connections.markAuthorized(directoryId);
    this.connection = { ...this.connection, state: 'authorized', reason: null };
  }

  async failed({ message }: WorkspaceError): Promise<void> {
    const { sql, connections } = this.context;
    await sql.transaction(async (executor) => {
      const directory = await connections.markUnauthorized(executor, this.connection, message);
      if (!directory) return;
      const type = 'directory.needs_authorization';
      await insertNotice(executor, type, directory, { reason: message });
    });
    this.connection = { ...this.connection, state: 'needs_authorization', reason: message };
  }
}

class WatchedSession implements WorkspaceSession {
  constructor(
    private readonly session: WorkspaceSession,
    private readonly tokens: WatchedTokens,
  ) {}

  listUsers(page: string | null, signal?: AbortSignal) {
    return this.watch(this.session.listUsers(page, signal));
  }

  listGroups(page: string | null, signal?: AbortSignal) {
    return this.watch(this.session.listGroups(page, signal));
  }

  listMembers(groupId: string, page: string | null, signal?: AbortSignal) {
    return this.watch(this.session.listMembers(groupId, page, signal));
  }

  /** The token is bound to the connection: what is read since a change of it is another listing. */
  async changesSince(token: string | null, signal?: AbortSignal): Promise<Changes> {
    const prefix = `${this.tokens.version}:`;
    const known = token?.startsWith(prefix) ? token.slice(prefix.length) : null;
    const changes = await this.watch(this.session.changesSince(known, signal));
    return { ...changes, token: changes.token === null ? null : prefix + changes.token };
  }

  private async watch<Answer extends { calls: number }>(asked: Promise<Answer>): Promise<Answer> {
    try {
      const answer = await asked;
      if (answer.calls > 0) await this.tokens.worked();
      return answer;
    } catch (error) {
      if (error instanceof WorkspaceError && error.kind === 'needs_authorization') {
        await this.tokens.failed(error);
      }
      throw error;
    }
  }
}

function openedTokens(secrets: DirectorySecrets, connection: Connection): Tokens {
  const { directoryId, accessTokenSealed, refreshTokenSealed } = connection;
  const { scope, tokenType, expiresAt } = connection;
  return {
    accessToken: secrets.open(directoryId, 'workspace_access_token', accessTokenSealed ?? ''),
    refreshToken:
      refreshTokenSealed === null
        ? null
        : secrets.open(directoryId, 'workspace_refresh_token', refreshTokenSealed),
    scope: scope ?? '',
    tokenType: tokenType ?? 'Bearer',
    expiresAt,
  };
}

/** Tokens as they are stored. */
export function sealedTokens(
  secrets: DirectorySecrets,
  directoryId: string,
  { accessToken, refreshToken, scope, tokenType, expiresAt }: Tokens,
): SealedTokens {
  return {
    accessTokenSealed: secrets.seal(directoryId, 'workspace_access_token', accessToken),
    refreshTokenSealed:
      refreshToken === null
        ? null
        : secrets.seal(directoryId, 'workspace_refresh_token', refreshToken),
    scope,
    tokenType,
    expiresAt,
  };
}
