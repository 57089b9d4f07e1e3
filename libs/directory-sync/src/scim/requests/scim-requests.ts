/**
 * Handles SCIM requests (RFC 7644) from the credential to the response.
 *
 *     requests/   credential, cache, and the service function for each target (`dispatch`)
 *     users/, groups/, lists/   RFC 7644 sections 3.3 to 3.6: read, check, and say what to write
 *     writes/     what happens on a write, in one file: `write.ts`
 *     protocol/   types, errors and parts of responses that the others share
 *
 * Flow: `respond` checks the credential before anything else; an unknown directory, a wrong secret and a
 * missing one get the same response. Directories and users may come from a cache, but a stale entry never
 * shows in a response: statements check its revision, and what does not match is a StaleCacheError, after
 * which the request is repeated with stored data (ADR 0023). `dispatch` calls a service, which writes with
 * `write` and records in a WriteLog what is committed. Then the events are announced, also those that were
 * committed before a failure.
 *
 * Statuses: 400 for what cannot be stored, 401 and 403 for a credential, 403 for a removal that waits for a
 * decision, 404, 409 for a name that is taken, 412 for an entity tag, 413 for a quota or a bulk request that
 * is too large, 429 for too many searches, 503 for a lost database or too many writes at once.
 */
import { isUuid } from '@gatehouse/kit/ids';
import { LRUCache } from 'lru-cache';
import { NO_DIRECTORY } from '../../directories/directory.sql.js';
import { type DirectoryAccess } from '../../directories/directory.types.js';
import { findCredential, type ScimCredential } from '../../directories/scim-credential.js';
import { scimPath } from '../../directories/directory.view.js';
import { type DirectoryEvent } from '../../events/event.types.js';
import { eventPayload } from '../../events/event.view.js';
import { findDirectoryAndUser } from '../../users/user.repository.js';
import { type UserRow } from '../../users/user.types.js';
import { errorResponse, scimFailure } from '../protocol/scim-errors.js';
import {
  type ScimEngine,
  type ScimRequest,
  type ScimResponse,
  type ScimScope,
} from '../protocol/scim.types.js';
import { ensureCurrent, StaleCacheError } from '../protocol/stale-cache.error.js';
import { WriteLog } from '../protocol/write-log.js';
import { writeTurns } from '../writes/write-turns.js';
import { DirectoryCache } from './directory-cache.js';
import { dispatch } from './scim-dispatch.js';

/** Called with each event of a change after its commit, in order, and awaited. */
export type EventCallback = (event: DirectoryEvent) => unknown;

export interface ScimDependencies extends Omit<ScimEngine, 'turns'> {
  externalUrl: string;
  /** Announces new events of a directory to the worker; a hint that may get lost. */
  wakeLane: (directoryId: string, isLinked: boolean) => void;
}

/** An authenticated directory and the user that the request names, if it names one. */
interface Access {
  directory: DirectoryAccess;
  credential: ScimCredential;
  user: UserRow | undefined;
  isCached: boolean;
}

/** Whether the last request was refused, and the end of its recording. */
interface Outcome {
  isRefused: boolean;
  recorded: Promise<void>;
}

type Credential = Pick<ScimRequest, 'directoryId' | 'apiSecret' | 'target' | 'onAccess'>;

/** One with cached data, one with stored data, and one if the directory is deleted in between. */
const ATTEMPTS_MAX = 3;

const REFUSAL_CHARACTERS_MAX = 500;

export class ScimRequests {
  private readonly cache = new DirectoryCache();
  private readonly engine: ScimEngine;
  /** Directories, outcomes and secrets that were recorded within a minute. */
  private readonly touched = new LRUCache<string, true>({ max: 10_000, ttl: 60_000 });
  /** The last outcome of each directory in this process. */
  private readonly outcomes = new LRUCache<string, Outcome>({ max: 10_000 });

  constructor(private readonly dependencies: ScimDependencies) {
    this.engine = { ...dependencies, turns: writeTurns() };
  }

  /**
   * Resolves to the response for any request and never rejects. The callback gets the events of
   * the change after its commit.
   */
  async respond(request: ScimRequest, callback?: EventCallback): Promise<ScimResponse> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.attempt(request, callback, attempt === 1);
      } catch (error) {
        if (!(error instanceof StaleCacheError) || attempt === ATTEMPTS_MAX) {
          return scimFailure(error, this.dependencies.logger);
        }
        this.cache.delete(request);
      }
    }
  }

  /**
   * Checks a credential before the body of the request is read. Resolves to the response that
   * refuses it; undefined if the request may go on to `respond`, which checks it again.
   */
  async refusalOf(
    credential: Pick<ScimRequest, 'directoryId' | 'apiSecret' | 'onAccess'>,
  ): Promise<ScimResponse | undefined> {
    const { directoryId, apiSecret } = credential;
    const cached = this.cache.findDirectory(directoryId);
    const found = cached && findCredential(cached, apiSecret);
    if (cached && found?.isValid) {
      report(credential, cached, found);
      return undefined;
    }
    try {
      const access = await this.access({ ...credential, target: { kind: 'root' } });
      return access ? refusalBy(access.directory) : unauthorized();
    } catch (error) {
      return scimFailure(error, this.dependencies.logger);
    }
  }

  private async attempt(
    request: ScimRequest,
    callback: EventCallback | undefined,
    mayUseCache: boolean,
  ): Promise<ScimResponse> {
    const access = (mayUseCache && this.cachedAccess(request)) || (await this.access(request));
    if (!access) return unauthorized();
    const { directory } = access;
    const refusal = refusalBy(directory);
    if (refusal) return refusal;
    const scope = this.scopeOf(access, callback !== undefined);
    const log = new WriteLog();
    const response = await dispatch(scope, request, log).catch((error: unknown) => {
      if (error instanceof StaleCacheError) throw error;
      return scimFailure(error, this.dependencies.logger);
    });
    for (const write of log.users) this.cache.storeUser(directory.id, write);
    // Describe what is wrong with a request only if the credential is still valid.
    if (response.status >= 400 && response.status < 500) await ensureCurrent(scope);
    this.touch(access, response);
    if (log.hasWrites) await this.announce(log, directory, callback);
    return response;
  }

  /**
   * Records the time, the outcome and the secret of a request, without waiting for it: each change of the
   * outcome, and repeats of an outcome with the same secret once a minute in this process. That a resource
   * does not exist is no error: providers look before they create one.
   */
  private touch(
    { directory: { id: directoryId }, credential }: Access,
    { status, data }: ScimResponse,
  ): void {
    const isRefused = status >= 400 && status !== 404;
    const key = `${directoryId} ${isRefused} ${credential.sha256.toString('base64')}`;
    const last = this.outcomes.get(directoryId);
    if (last?.isRefused === isRefused && this.touched.has(key)) return;
    this.touched.set(key, true);
    const { directories, logger } = this.dependencies;
    const detail = typeof data?.detail === 'string' ? data.detail : `Status ${status}.`;
    const refusal = isRefused ? detail.slice(0, REFUSAL_CHARACTERS_MAX) : null;
    // One after the other, so that the last outcome gets the latest time.
    const recorded = (last?.recorded ?? Promise.resolve())
      .then(() => directories.touch(directoryId, refusal, credential))
      .catch((error: unknown) => {
        // The next request records it; the first use of a token must not be missed.
        this.touched.delete(key);
        logger.warn({ err: error, directoryId }, 'the time of the last request was not recorded');
      });
    this.outcomes.set(directoryId, { isRefused, recorded });
  }

  private cachedAccess(request: ScimRequest): Access | undefined {
    const cached = this.cache.find(request);
    const credential = cached && findCredential(cached.directory, request.apiSecret);
    if (!cached || !credential?.isValid) return undefined;
    report(request, cached.directory, credential);
    return { ...cached, credential, isCached: true };
  }

  private async access(request: Credential): Promise<Access | undefined> {
    const found = await this.read(request);
    // Compare the secret even without a directory, so that both cases take the same time.
    const credential = findCredential(found?.directory, request.apiSecret);
    if (found) report(request, found.directory, credential);
    if (!found || !credential?.isValid) return undefined;
    if (!found.directory.deactivated) this.cache.storeDirectory(found.directory);
    return { ...found, credential, isCached: false };
  }

  /** Most requests name a user; that user is read in the same round trip as the directory. */
  private async read({ directoryId, target }: Credential) {
    const { sql, directories } = this.dependencies;
    const id = isUuid(directoryId) ? directoryId : NO_DIRECTORY;
    if (target.kind === 'resource' && target.resource === 'User' && isUuid(target.id)) {
      return findDirectoryAndUser(sql, id, target.id);
    }
    const directory = await directories.access(id);
    return directory && { directory, user: undefined };
  }

  private scopeOf({ directory, user, isCached }: Access, wantsEvents: boolean): ScimScope {
    const baseUrl = this.dependencies.externalUrl + scimPath(directory.id);
    const call = isCached
      ? { baseUrl, revision: directory.revision, cachedUser: user, wantsEvents }
      : { baseUrl, revision: null, prefetchedUser: user, wantsEvents };
    return { directory, call, engine: this.engine };
  }

  private async announce(
    log: WriteLog,
    directory: DirectoryAccess,
    callback?: EventCallback,
  ): Promise<void> {
    const { logger, wakeLane } = this.dependencies;
    if (directory.isSending) wakeLane(directory.id, directory.isLinked);
    if (!callback) return;
    for (const row of log.events) {
      try {
        await callback(eventPayload(row, directory));
      } catch (error) {
        // The change is committed; a failing callback cannot undo it.
        logger.error({ err: error, eventId: row.id }, 'event callback failed');
      }
    }
  }
}

function report(
  { onAccess }: Pick<ScimRequest, 'onAccess'>,
  { id: directoryId, captureUntil }: DirectoryAccess,
  credential: ScimCredential | undefined,
): void {
  const { isValid: isAuthorized = false, tokenId = null } = credential ?? {};
  onAccess?.({ directoryId, isAuthorized, tokenId, captureUntil });
}

function refusalBy({ deactivated }: DirectoryAccess): ScimResponse | undefined {
  return deactivated ? errorResponse(403, 'The directory is deactivated.') : undefined;
}

function unauthorized(): ScimResponse {
  return errorResponse(401, 'A valid bearer token of this directory is required.', {
    'WWW-Authenticate': 'Bearer realm="scim"',
  });
}
