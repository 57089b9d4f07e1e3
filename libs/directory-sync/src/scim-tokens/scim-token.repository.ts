import { type SqlExecutor } from '@gatehouse/kit/sql';
import * as statements from './scim-token.sql.js';
import {
  type DueToken,
  type NewScimToken,
  type ScimToken,
  type TokenRotation,
} from './scim-token.types.js';

/** The tokens of directories. Each change makes them known to SCIM requests, too. */
export class ScimTokenRepository {
  constructor(private readonly sql: SqlExecutor) {}

  /** Oldest first. */
  list(directoryId: string, sql: SqlExecutor = this.sql): Promise<ScimToken[]> {
    return sql.rows<ScimToken>(statements.LIST_TOKENS, [directoryId]);
  }

  async find(
    directoryId: string,
    id: string,
    sql: SqlExecutor = this.sql,
  ): Promise<ScimToken | undefined> {
    const [token] = await sql.rows<ScimToken>(statements.FIND_TOKEN, [directoryId, id]);
    return token;
  }

  async insert(directoryId: string, token: NewScimToken, sql: SqlExecutor): Promise<void> {
    const { id, name, preview, sha256, createdAt, expiresAt } = token;
    await sql.rows(statements.INSERT_TOKEN, [
      directoryId,
      id,
      name,
      preview,
      sha256,
      createdAt,
      expiresAt,
      noticesFrom(createdAt, expiresAt),
    ]);
    await this.publish(directoryId, sql);
  }

  /** @param expiresAt undefined leaves it unchanged, null removes it */
  async update(
    directoryId: string,
    id: string,
    { name, expiresAt }: { name: string; expiresAt?: Date | null },
    sql: SqlExecutor,
  ): Promise<ScimToken> {
    const [token] = await sql.rows<ScimToken>(statements.UPDATE_TOKEN, [
      directoryId,
      id,
      name,
      expiresAt !== undefined,
      expiresAt ?? null,
      noticesFrom(new Date(), expiresAt ?? null),
    ]);
    await this.publish(directoryId, sql);
    return token as ScimToken;
  }

  async rotate(
    directoryId: string,
    id: string,
    { preview, sha256, rotatedAt, expiresAt, previousUntil }: TokenRotation,
    sql: SqlExecutor,
  ): Promise<ScimToken> {
    const [token] = await sql.rows<ScimToken>(statements.ROTATE_TOKEN, [
      directoryId,
      id,
      preview,
      sha256,
      rotatedAt,
      expiresAt,
      previousUntil,
      noticesFrom(rotatedAt, expiresAt),
    ]);
    await this.publish(directoryId, sql);
    return token as ScimToken;
  }

  /** Replaces a secret that was not used by one that does not expire; an overlap goes on. */
  async replaceUnused(
    directoryId: string,
    id: string,
    { preview, sha256, rotatedAt }: Pick<TokenRotation, 'preview' | 'sha256' | 'rotatedAt'>,
    sql: SqlExecutor,
  ): Promise<void> {
    await sql.rows(statements.REPLACE_UNUSED, [directoryId, id, preview, sha256, rotatedAt]);
    await this.publish(directoryId, sql);
  }

  /** @returns the deleted token; undefined if it does not exist */
  async delete(directoryId: string, id: string, sql: SqlExecutor): Promise<ScimToken | undefined> {
    const [token] = await sql.rows<ScimToken>(statements.DELETE_TOKEN, [directoryId, id]);
    await this.publish(directoryId, sql);
    return token;
  }

  /** Locks tokens that may have reached a threshold. */
  lockDue(now: Date, limit: number, sql: SqlExecutor): Promise<DueToken[]> {
    return sql.rows<DueToken>(statements.LOCK_DUE_TOKENS, [now, limit]);
  }

  /** Sets when each token is next compared with the time; null for never. */
  async planNotices(
    tokens: readonly (Pick<DueToken, 'id' | 'directoryId'> & { nextNoticeAt: Date | null })[],
    sql: SqlExecutor,
  ): Promise<void> {
    await sql.rows(statements.PLAN_NOTICES, [
      tokens.map(({ directoryId }) => directoryId),
      tokens.map(({ id }) => id),
      tokens.map(({ nextNoticeAt }) => nextNoticeAt),
    ]);
  }

  private async publish(directoryId: string, sql: SqlExecutor): Promise<void> {
    await sql.rows(statements.PUBLISH_TOKENS, [directoryId]);
  }
}

/**
 * The next scan plans the notices of a token that is new or expires at another time. It announces no
 * threshold that the token was never outside of, not even one that is exactly its lifetime.
 */
function noticesFrom(time: Date, expiresAt: Date | null): Date | null {
  return expiresAt && new Date(time.getTime() + 1);
}
