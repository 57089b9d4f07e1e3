import { type Sql, type SqlExecutor } from '@gatehouse/kit/sql';
import * as statements from './connection.sql.js';
import {
  type Authorization,
  type Connection,
  DISCONNECTED,
  type NewConnection,
  type SealedTokens,
} from './connection.types.js';

/** The directory of a connection whose state has changed. */
export interface ChangedDirectory {
  id: string;
  name: string;
  tenant: string;
  product: string;
}

/** The state of an authorization. */
export interface TakenState {
  directoryId: string;
  linkId: string | null;
  sha256: Buffer;
}

export interface TakenAuthorization {
  verifierSealed: string;
  /** Who began it; null if a version before this one has stored it. */
  caller: string | null;
  isCurrent: boolean;
}

export class ConnectionRepository {
  constructor(private readonly sql: Sql) {}

  async insert(
    sql: SqlExecutor,
    directoryId: string,
    { provider, domain, administrator, state, reason }: NewConnection,
  ): Promise<void> {
    const values = [directoryId, provider, domain, administrator, state, reason];
    await sql.rows(statements.INSERT, values);
  }

  findMany(directoryIds: readonly string[], sql: SqlExecutor = this.sql): Promise<Connection[]> {
    return sql.rows<Connection>(statements.FIND_MANY, [directoryIds]);
  }

  async find(directoryId: string): Promise<Connection | undefined> {
    const [connection] = await this.findMany([directoryId]);
    return connection;
  }

  async lock(sql: SqlExecutor, directoryId: string): Promise<Connection | undefined> {
    const [connection] = await sql.rows<Connection>(statements.LOCK, [directoryId]);
    return connection;
  }

  async change(
    sql: SqlExecutor,
    directoryId: string,
    { domain, administrator, state, reason }: Omit<NewConnection, 'provider'>,
  ): Promise<void> {
    await sql.rows(statements.CHANGE, [directoryId, domain, administrator, state, reason]);
  }

  async setTokens(sql: SqlExecutor, directoryId: string, tokens: SealedTokens): Promise<void> {
    const { accessTokenSealed, refreshTokenSealed, scope, tokenType, expiresAt } = tokens;
    const values = [accessTokenSealed, refreshTokenSealed, scope, tokenType, expiresAt];
    await sql.rows(statements.SET_TOKENS, [directoryId, ...values]);
  }

  async setAccount(sql: SqlExecutor, directoryId: string, account: string | null): Promise<void> {
    await sql.rows(statements.SET_ACCOUNT, [directoryId, account]);
  }

  async disconnect(sql: SqlExecutor, directoryId: string): Promise<void> {
    await sql.rows(statements.DISCONNECT, [directoryId, DISCONNECTED]);
  }

  /** Undefined if the directory needed authorization before, or has other tokens by now. */
  async markUnauthorized(
    sql: SqlExecutor,
    { directoryId, version }: Pick<Connection, 'directoryId' | 'version'>,
    reason: string,
  ): Promise<ChangedDirectory | undefined> {
    const values = [directoryId, version, reason];
    const [directory] = await sql.rows<ChangedDirectory>(statements.MARK_UNAUTHORIZED, values);
    return directory;
  }

  async markAuthorized(directoryId: string, sql: SqlExecutor = this.sql): Promise<void> {
    await sql.rows(statements.MARK_AUTHORIZED, [directoryId]);
  }

  async beginAuthorization(
    { stateSha256, directoryId, verifierSealed, linkId, caller }: Authorization,
    ttlSeconds: number,
    sql: SqlExecutor = this.sql,
  ): Promise<void> {
    const values = [stateSha256, directoryId, verifierSealed, ttlSeconds, linkId, caller];
    await sql.rows(statements.BEGIN_AUTHORIZATION, values);
  }

  /** An authorization, once; undefined if it is unknown, used or too old. */
  async takeAuthorization({
    directoryId,
    linkId,
    sha256,
  }: TakenState): Promise<TakenAuthorization | undefined> {
    const values = [sha256, directoryId, linkId];
    const [taken] = await this.sql.rows<TakenAuthorization>(statements.TAKE_AUTHORIZATION, values);
    return taken?.isCurrent ? taken : undefined;
  }

  /** As above, of the newest authorization that belongs to no setup link. */
  async takeNewestAuthorization(directoryId: string): Promise<TakenAuthorization | undefined> {
    const [taken] = await this.sql.rows<TakenAuthorization>(statements.TAKE_NEWEST_AUTHORIZATION, [
      directoryId,
    ]);
    return taken;
  }
}
