import { type Sql, type SqlExecutor } from '@gatehouse/kit/sql';
import { type DirectoryType, type NoticedDirectory } from '@gatehouse/directory-sync/parts';
import * as statements from './setup.sql.js';
import { type SetupLink, type SetupProvider } from './setup.types.js';

export interface NewSetupLink extends Pick<
  SetupLink,
  | 'id'
  | 'directoryId'
  | 'allow'
  | 'attributes'
  | 'roles'
  | 'returnUrl'
  | 'locale'
  | 'csrfKey'
  | 'secretSha256'
> {
  ttlSeconds: number;
  sessionSeconds: number;
}

/** Links of one directory that work at the same time. */
export const LINKS_PER_DIRECTORY_MAX = 20;
/** Sessions that one statement marks as connected. */
export const CONNECTED_BATCH = 100;

/** Setup links and their sessions. */
export class SetupRepository {
  constructor(readonly sql: Sql) {}

  /** @returns undefined for an unknown directory, and for one with too many links */
  async insert(link: NewSetupLink, sql: SqlExecutor): Promise<SetupLink | undefined> {
    const [row] = await sql.rows<SetupLink>(statements.INSERT_LINK, [
      link.id,
      link.directoryId,
      link.secretSha256,
      link.allow,
      link.returnUrl,
      link.locale,
      link.ttlSeconds,
      link.sessionSeconds,
      LINKS_PER_DIRECTORY_MAX,
      link.csrfKey,
      link.attributes,
      link.roles,
    ]);
    return row;
  }

  find(id: string, sql?: SqlExecutor): Promise<SetupLink | undefined> {
    return this.one(statements.FIND_LINK, [id], sql);
  }

  /** The names of the custom attributes that a directory maps. */
  async mappedAttributes(directoryId: string, sql: SqlExecutor): Promise<string[]> {
    const rows = await sql.rows<{ name: string }>(statements.MAPPED_ATTRIBUTES, [directoryId]);
    return rows.map(({ name }) => name);
  }

  list(directoryId: string | null, offset: number, limit: number): Promise<SetupLink[]> {
    return this.sql.rows<SetupLink>(statements.LIST_LINKS, [directoryId, offset, limit]);
  }

  /** A link that can be opened. */
  findOpenable(secretSha256: Buffer): Promise<SetupLink | undefined> {
    return this.one(statements.FIND_OPENABLE, [secretSha256]);
  }

  /** The same, of which one caller at a time gets hold. */
  lockOpenable(secretSha256: Buffer, sql: SqlExecutor): Promise<SetupLink | undefined> {
    return this.one(statements.LOCK_OPENABLE, [secretSha256], sql);
  }

  /** Opens a link that is locked for a session, in place of one that was never entered. */
  async open(id: string, sessionSha256: Buffer, sql: SqlExecutor): Promise<SetupLink> {
    return (await this.one(statements.OPEN_LINK, [id, sessionSha256], sql)) as SetupLink;
  }

  /** The link of a session that is open. From its first request on, the link cannot be opened again. */
  async enterSession(sessionSha256: Buffer): Promise<SetupLink | undefined> {
    const link = await this.one(statements.FIND_SESSION, [sessionSha256]);
    if (!link?.reopenUntil) return link;
    return this.one(statements.ENTER_SESSION, [sessionSha256]);
  }

  /** Keeps an open session open until the transaction ends; undefined if it has ended. */
  lockSession(id: string, sql: SqlExecutor): Promise<SetupLink | undefined> {
    return this.one(statements.LOCK_SESSION, [id], sql);
  }

  async setProvider(id: string, provider: SetupProvider, sql: SqlExecutor): Promise<void> {
    await sql.rows(statements.SET_PROVIDER, [id, provider]);
  }

  async setStep(id: string, step: string): Promise<void> {
    await this.sql.rows(statements.SET_STEP, [id, step]);
  }

  /** A link by the hash of its secret or of its cookie, in whatever state it is. */
  findBySecret(sha256: Buffer): Promise<SetupLink | undefined> {
    return this.one(statements.FIND_BY_SECRET, [sha256]);
  }

  async setType(directoryId: string, type: DirectoryType, sql: SqlExecutor): Promise<void> {
    await sql.rows(statements.SET_TYPE, [directoryId, type]);
  }

  async recordToken(id: string, sql: SqlExecutor): Promise<void> {
    await sql.rows(statements.RECORD_TOKEN, [id]);
  }

  async recordConsent(id: string, sql: SqlExecutor): Promise<void> {
    await sql.rows(statements.RECORD_CONSENT, [id]);
  }

  async complete(id: string, sql: SqlExecutor): Promise<void> {
    await sql.rows(statements.COMPLETE, [id]);
  }

  /** @returns undefined for a link that is unknown or was revoked before */
  revoke(id: string, sql: SqlExecutor): Promise<SetupLink | undefined> {
    return this.one(statements.REVOKE, [id], sql);
  }

  /** @returns undefined for a link that was not opened, or whose session was ended before */
  endSession(id: string, sql: SqlExecutor): Promise<SetupLink | undefined> {
    return this.one(statements.END_SESSION, [id], sql);
  }

  /** @param linkId a link that has connected for certain */
  markConnected(
    linkId: string | null,
    sql: SqlExecutor,
  ): Promise<(NoticedDirectory & { linkId: string })[]> {
    return sql.rows(statements.MARK_CONNECTED, [CONNECTED_BATCH, linkId]);
  }

  async received(directoryId: string): Promise<{ hasUsers: boolean; hasGroups: boolean }> {
    type Row = { hasUsers: boolean; hasGroups: boolean };
    const [row] = await this.sql.rows<Row>(statements.RECEIVED, [directoryId]);
    return row as Row;
  }

  /** The first groups of a directory, by name. */
  async groups(directoryId: string, limit: number): Promise<{ id: string; name: string }[]> {
    return this.sql.rows(statements.LIST_GROUPS, [directoryId, limit]);
  }

  /** Returns those of the groups that exist in the directory. */
  async knownGroups(
    directoryId: string,
    ids: readonly string[],
    sql: SqlExecutor,
  ): Promise<Set<string>> {
    const rows = await sql.rows<{ id: string }>(statements.KNOWN_GROUPS, [directoryId, ids]);
    return new Set(rows.map(({ id }) => id));
  }

  /** @returns false while another preview of the directory is under way */
  async lockPreview(directoryId: string, sql: SqlExecutor): Promise<boolean> {
    const [row] = await sql.rows<{ locked: boolean }>(statements.LOCK_PREVIEW, [directoryId]);
    return row?.locked ?? false;
  }

  /** Links stay listed for 90 days after they have expired. */
  async deleteOld(): Promise<void> {
    await this.sql.rows(statements.DELETE_OLD);
  }

  private async one(
    statement: (typeof statements)[keyof typeof statements],
    values: readonly unknown[],
    sql: SqlExecutor = this.sql,
  ): Promise<SetupLink | undefined> {
    const [row] = await sql.rows<SetupLink>(statement, values);
    return row;
  }
}
