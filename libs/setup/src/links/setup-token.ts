/** The token of a setup session: one for its link, which a later one replaces. */
import { adminEventOf, type AuditEvents } from '@gatehouse/kit/audit';
import { type CallContext } from '@gatehouse/kit/clients';
import { DomainError } from '@gatehouse/kit/errors';
import { uuidv7 } from '@gatehouse/kit/ids';
import { type SqlExecutor } from '@gatehouse/kit/sql';
import {
  type DirectorySecrets,
  SCIM_TOKENS_MAX,
  type ScimTokenRepository,
  SyncErrors,
} from '@gatehouse/directory-sync/parts';
import { type SetupLink } from './setup.types.js';

/** How long a token that is in use works after another one has replaced it. */
const OVERLAP_MS = 24 * 3_600_000;

export interface SetupTokenContext {
  tokens: ScimTokenRepository;
  secrets: DirectorySecrets;
  audit: AuditEvents;
}

/** The name by which the token of a link is found. */
export const setupTokenName = (linkId: string): string => `setup link ${linkId}`;

/**
 * Creates the token of a link, or replaces its secret. A secret that was used works for another day, or until
 * its expiry. A token has room for one such secret: while it has one, and its successor was used too, there
 * is no telling which of them the provider sends, so neither of them ends early.
 *
 * The directory must be locked.
 *
 * @returns the secret, which is not stored
 * @throws DomainError 409 if the directory has as many tokens as allowed, or two secrets are in use
 */
export async function newSetupToken(
  { id: linkId, directoryId }: SetupLink,
  { tokens, secrets, audit }: SetupTokenContext,
  call: CallContext,
  sql: SqlExecutor,
): Promise<string> {
  const name = setupTokenName(linkId);
  const now = new Date();
  const all = await tokens.list(directoryId, sql);
  const known = all.find((token) => token.name === name);
  if (!known && all.length >= SCIM_TOKENS_MAX) {
    throw new DomainError(SyncErrors.SCIM_TOKEN_LIMIT_REACHED);
  }
  const id = known?.id ?? uuidv7();
  const { secret, ...hashed } = secrets.newScimToken(id);
  if (known?.lastUsedAt) {
    const { expiresAt, previousUntil: otherUntil } = known;
    if (otherUntil && otherUntil > now) throw inUse(otherUntil);
    const overlapUntil = new Date(now.getTime() + OVERLAP_MS);
    const until = expiresAt && expiresAt < overlapUntil ? expiresAt : overlapUntil;
    const previousUntil = until > now ? until : null;
    const next = { ...hashed, rotatedAt: now, expiresAt: null, previousUntil };
    await tokens.rotate(directoryId, id, next, sql);
  } else if (known) {
    // The one before it may still be in use, for example if the button was pressed twice.
    await tokens.replaceUnused(directoryId, id, { ...hashed, rotatedAt: now }, sql);
  } else {
    await tokens.insert(directoryId, { id, name, createdAt: now, expiresAt: null, ...hashed }, sql);
  }
  const type = known ? 'scim_token.rotated' : 'scim_token.created';
  const details = { directory_id: directoryId, link_id: linkId };
  const change = { type, targetId: id, ownerId: directoryId, details };
  await audit.insert([adminEventOf(change, call)], sql);
  return secret;
}

function inUse(until: Date): DomainError {
  const time = `${until.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const message = `Two tokens of the setup link are already in use. Another one can be created from ${time} on.`;
  return new DomainError(SyncErrors.SETUP_TOKENS_IN_USE, { message });
}
