/** The session of a cookie, for the operations of its pages. */
import { sha256 } from '@gatehouse/crypto';
import { type CallContext } from '@gatehouse/kit/clients';
import { DomainError } from '@gatehouse/kit/errors';
import { type SqlExecutor } from '@gatehouse/kit/sql';
import {
  type Directory,
  type DirectoryRepository,
  SyncErrors,
} from '@gatehouse/directory-sync/parts';
import { type SetupRepository } from './setup.repository.js';
import { type SetupAction, type SetupLink } from './setup.types.js';

export interface SetupEntryContext {
  directories: DirectoryRepository;
  setups: SetupRepository;
}

/**
 * @param action what the link must allow, if anything
 * @throws DomainError 410 without a session that is open, 403 unless the link allows the action
 */
export async function enterSetup(
  { setups, directories }: SetupEntryContext,
  cookie: string,
  action?: SetupAction,
): Promise<{ link: SetupLink; directory: Directory }> {
  const link = await setups.enterSession(hashOf(cookie));
  const directory = link && (await directories.find(link.directoryId));
  if (!directory) throw sessionGone();
  if (action && !link.allow.includes(action)) throw new DomainError(SyncErrors.SETUP_NOT_ALLOWED);
  return { link, directory };
}

/** Keeps a session open until the transaction ends. @throws DomainError 410 if it has ended */
export async function lockSession(
  setups: SetupRepository,
  id: string,
  sql: SqlExecutor,
): Promise<void> {
  if (!(await setups.lockSession(id, sql))) throw sessionGone();
}

/** The link is the caller: its pages have no other credential. */
export const callerOf = ({ id }: SetupLink): string => `setup-link:${id}`;

export const callOf = (link: SetupLink, call: CallContext): CallContext => ({
  ...call,
  caller: callerOf(link),
});

/** The hash of a secret as a caller sends it. A value that is not text never matches a secret. */
export const hashOf = (secret: unknown) => sha256(typeof secret === 'string' ? secret : '');

export const sessionGone = () => new DomainError(SyncErrors.SETUP_SESSION_GONE);
