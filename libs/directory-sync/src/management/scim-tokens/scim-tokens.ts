/**
 * The tokens of SCIM directories, which are valid beside the SCIM secret. Every change is a new revision of
 * the directory, so a token that was deleted is refused by all replicas as soon as the change commits.
 */
import { adminEventOf, type AuditEvents } from '@gatehouse/kit/audit';
import { type CallContext } from '@gatehouse/kit/clients';
import { DomainError } from '@gatehouse/kit/errors';
import { isUuid, uuidv7 } from '@gatehouse/kit/ids';
import { invalidField, type JsonObject } from '@gatehouse/kit/input';
import { type Sql, type SqlExecutor } from '@gatehouse/kit/sql';
import { LIBRARY_CALL } from '../../audit/audit-table.js';
import { type DirectoryRepository } from '../../directories/directory.repository.js';
import { type DirectorySecrets } from '../../directories/directory-secrets.js';
import { SCIM_TOKENS_MAX } from '../../directories/scim-credential.js';
import { type ScimTokenRepository } from '../../scim-tokens/scim-token.repository.js';
import { type ScimToken } from '../../scim-tokens/scim-token.types.js';
import {
  type ScimTokenSecretView,
  scimTokenView,
  type ScimTokenView,
} from '../../scim-tokens/scim-token.view.js';
import { SyncErrors } from '../../sync.errors.js';
import { fieldsOf } from '../directories/directory.input.js';
import { notFound } from '../../sync.errors.js';
import {
  type NewScimTokenInput,
  readNewToken,
  readTokenChanges,
  readTokenRotation,
  type ScimTokenChanges,
  type ScimTokenRotation,
} from './scim-token.input.js';

export interface ScimTokensContext {
  sql: Sql;
  audit: AuditEvents;
  directories: DirectoryRepository;
  tokens: ScimTokenRepository;
  secrets: DirectorySecrets;
}

/**
 * The `scimTokens` operations of the controller object: up to ten named tokens of a directory, each with an
 * expiry if it should have one. All resolve to 404 for an unknown directory or token, and to 400 for a
 * workspace directory.
 */
export class ScimTokens {
  constructor(private readonly context: ScimTokensContext) {}

  /** Oldest first, those included that have expired. */
  async list(directoryId: string): Promise<ScimTokenView[]> {
    await this.require(directoryId);
    return (await this.context.tokens.list(directoryId)).map((token) => scimTokenView(token));
  }

  async get(directoryId: string, id: string): Promise<ScimTokenView> {
    await this.require(directoryId);
    const token = isUuid(id) ? await this.context.tokens.find(directoryId, id) : undefined;
    if (!token) throw tokenNotFound();
    return scimTokenView(token);
  }

  /** Resolves to the token with its secret, which is shown only now. 409 if there are ten already. */
  async create(
    directoryId: string,
    input: NewScimTokenInput,
    call: CallContext = LIBRARY_CALL,
  ): Promise<ScimTokenSecretView> {
    await this.require(directoryId);
    const { tokens, secrets } = this.context;
    const createdAt = new Date();
    const read = readNewToken(input, createdAt);
    const id = uuidv7();
    const { secret, ...hashed } = secrets.newScimToken(id);
    const details = { fields: fieldsOf(input) };
    return this.change(directoryId, async (sql, audit) => {
      const others = await tokens.list(directoryId, sql);
      if (others.length >= SCIM_TOKENS_MAX) {
        throw new DomainError(SyncErrors.SCIM_TOKEN_LIMIT_REACHED);
      }
      requireNewName(others, read.name);
      await tokens.insert(directoryId, { id, createdAt, ...read, ...hashed }, sql);
      await audit('scim_token.created', id, call, details);
      const created = (await tokens.find(directoryId, id, sql)) as ScimToken;
      return { ...scimTokenView(created), secret };
    });
  }

  /** Changes the name or the expiry. A later expiry makes a token valid again that has expired. */
  async update(
    directoryId: string,
    id: string,
    changes: ScimTokenChanges,
    call: CallContext = LIBRARY_CALL,
  ): Promise<ScimTokenView> {
    await this.require(directoryId);
    const { tokens } = this.context;
    const read = readTokenChanges(changes, new Date());
    const details = { fields: fieldsOf(changes) };
    return this.change(directoryId, async (sql, audit) => {
      const all = await tokens.list(directoryId, sql);
      const { name } = ofId(all, id);
      const others = all.filter((token) => token.id !== id);
      if (read.name !== undefined) requireNewName(others, read.name);
      const changed = { name: read.name ?? name, expiresAt: read.expiresAt };
      const updated = await tokens.update(directoryId, id, changed, sql);
      await audit('scim_token.updated', id, call, details);
      return scimTokenView(updated);
    });
  }

  /**
   * Replaces the secret. The current one stays valid for the overlap, but no longer than until its own
   * expiry or that of the new one.
   */
  async rotate(
    directoryId: string,
    id: string,
    rotation: ScimTokenRotation = {},
    call: CallContext = LIBRARY_CALL,
  ): Promise<ScimTokenSecretView> {
    await this.require(directoryId);
    const { tokens, secrets } = this.context;
    const rotatedAt = new Date();
    const read = readTokenRotation(rotation, rotatedAt);
    return this.change(directoryId, async (sql, audit) => {
      const token = ofId(await tokens.list(directoryId, sql), id);
      const { secret, ...hashed } = secrets.newScimToken(id);
      const { expiresAt = null, overlapSeconds } = read;
      if (token.expiresAt && read.expiresAt === undefined) {
        throw invalidField('ttl', 'or expires_at is required, because the token expires');
      }
      const overlapUntil = new Date(rotatedAt.getTime() + overlapSeconds * 1_000);
      const previousUntil = earliest(overlapUntil, token.expiresAt, expiresAt);
      const next = {
        ...hashed,
        rotatedAt,
        expiresAt,
        previousUntil: after(rotatedAt, previousUntil),
      };
      const rotated = await tokens.rotate(directoryId, id, next, sql);
      await audit('scim_token.rotated', id, call, { overlap: `${overlapSeconds}s` });
      return { ...scimTokenView(rotated), secret };
    });
  }

  /** Revokes a token at once, and its previous secret. */
  async delete(directoryId: string, id: string, call: CallContext = LIBRARY_CALL): Promise<null> {
    await this.require(directoryId);
    return this.change(directoryId, async (sql, audit) => {
      const deleted = isUuid(id) && (await this.context.tokens.delete(directoryId, id, sql));
      if (!deleted) throw tokenNotFound();
      await audit('scim_token.deleted', id, call, { name: deleted.name });
      return null;
    });
  }

  /**
   * Removes the SCIM secret of a directory, so that only its tokens are valid. 409 if none is valid now.
   * `directories.rotateSecret` gives the directory a secret again.
   */
  async retireSecret(directoryId: string, call: CallContext = LIBRARY_CALL): Promise<null> {
    await this.require(directoryId);
    return this.change(directoryId, async (sql) => {
      const { directories, tokens, audit } = this.context;
      const now = new Date();
      const isValid = ({ expiresAt }: ScimToken) => expiresAt === null || expiresAt > now;
      if (!(await tokens.list(directoryId, sql)).some(isValid)) {
        throw new DomainError(SyncErrors.SCIM_TOKEN_REQUIRED);
      }
      if (!(await directories.retireSecret(directoryId, sql))) return null;
      const change = { type: 'directory.secret_retired', targetId: directoryId };
      await audit.insert([adminEventOf(change, call)], sql);
      return null;
    });
  }

  /** Runs a change with its audit event under the lock of the directory, which gets a new revision. */
  private change<T>(
    directoryId: string,
    work: (sql: SqlExecutor, audit: AuditOfToken) => Promise<T>,
  ): Promise<T> {
    const { sql, directories, audit } = this.context;
    return sql.transaction(async (executor) => {
      if (!(await directories.lockForEndpoints(executor, directoryId))) throw directoryNotFound();
      return work(executor, async (type, targetId, call, more) => {
        const details = { directory_id: directoryId, ...more };
        const change = { type, targetId, ownerId: directoryId, details };
        await audit.insert([adminEventOf(change, call)], executor);
      });
    });
  }

  private async require(directoryId: string): Promise<void> {
    const directory = isUuid(directoryId)
      ? await this.context.directories.access(directoryId)
      : undefined;
    if (!directory) throw directoryNotFound();
    if (directory.type === 'workspace') {
      throw invalidField('directoryId', 'is a workspace directory, which receives no requests');
    }
  }
}

type AuditOfToken = (
  type: string,
  targetId: string,
  call: CallContext,
  details: JsonObject,
) => Promise<void>;

/** Names differ, so that a call that is repeated after a lost response makes no second token. */
function requireNewName(others: readonly ScimToken[], name: string): void {
  if (others.some((token) => token.name === name)) {
    throw new DomainError(SyncErrors.SCIM_TOKEN_EXISTS);
  }
}

function ofId(tokens: readonly ScimToken[], id: string): ScimToken {
  const token = tokens.find((each) => each.id === id);
  if (!token) throw tokenNotFound();
  return token;
}

function earliest(first: Date, ...others: (Date | null)[]): Date {
  return others.reduce<Date>((least, time) => (time && time < least ? time : least), first);
}

/** Null for a past time: a secret that has expired does not become valid again. */
function after(now: Date, time: Date): Date | null {
  return time > now ? time : null;
}

function tokenNotFound(): DomainError {
  return notFound('SCIM token not found.');
}

function directoryNotFound(): DomainError {
  return notFound('Directory not found.');
}
