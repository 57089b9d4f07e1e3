/**
 * One SCIM request from credential to answer. The credential is checked before anything else is
 * looked at; an unknown directory, a wrong secret and none at all are answered alike. A directory
 * may be remembered from an earlier request, never so that a change of it would go unnoticed.
 */
import type { Database } from '../../database/database.js';
import type {
  DirectoryAccess,
  DirectoryRepository,
} from '../../directories/directory.repository.js';
import { isScimSecret } from '../../directories/directory-secrets.js';
import { scimPath } from '../../directories/directory.view.js';
import type { DirectoryEvent } from '../../events/event.types.js';
import { eventPayload } from '../../events/event.view.js';
import type { SyncLogger } from '../../management/result.js';
import type { UserRow } from '../../users/user.types.js';
import { ensureCurrent, Remembered, StaleMemory } from './directory-cache.js';
import { accessOf } from './scim-access.js';
import { dispatch } from './scim-dispatch.js';
import { errorAnswer, scimFailure } from '../protocol/scim-errors.js';
import type { ScimAnswer, ScimCall, ScimContext, ScimLimits } from '../protocol/scim.types.js';

/** Called after the change is committed, with each of its events in order, and awaited. */
export type EventCallback = (event: DirectoryEvent) => unknown;

export interface ScimDependencies {
  database: Database;
  directories: DirectoryRepository;
  externalUrl: string;
  limits: ScimLimits;
  cursorKey: Buffer;
  logger: SyncLogger;
  /** Tells whoever delivers that a directory has new events; a hint that may get lost. */
  wakeLane: (directoryId: string) => void;
}

/** A directory whose credential was right, the user that the address names, and how they are known. */
interface Authenticated {
  directory: DirectoryAccess;
  user: UserRow | undefined;
  isRemembered: boolean;
}

/** One from memory, one from what is stored, and one more where the directory goes away meanwhile. */
const ATTEMPTS_MAX = 3;

export class ScimRequests {
  private readonly remembered = new Remembered();

  constructor(private readonly dependencies: ScimDependencies) {}

  /** Answers a request; never throws, whatever the request holds. */
  async respond(call: ScimCall, callback?: EventCallback): Promise<ScimAnswer> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.attempt(call, callback, attempt === 1);
      } catch (error) {
        if (!(error instanceof StaleMemory) || attempt === ATTEMPTS_MAX) {
          return scimFailure(error, this.dependencies.logger);
        }
        this.remembered.forget(call);
      }
    }
  }

  private async attempt(
    call: ScimCall,
    callback: EventCallback | undefined,
    mayRemember: boolean,
  ): Promise<ScimAnswer> {
    const access = await this.authenticate(call, mayRemember);
    if (!access) return unauthorised();
    if (access.directory.deactivated) return errorAnswer(403, 'The directory is deactivated.');
    const context = this.contextOf(access, callback !== undefined);
    const answer = await dispatch(context, call).catch((error: unknown) => {
      if (error instanceof StaleMemory) throw error;
      return scimFailure(error, this.dependencies.logger);
    });
    // What is wrong with a request is told only to those whom the directory still lets in.
    if (answer.status >= 400 && answer.status < 500) await ensureCurrent(context);
    if (context.hasWritten) await this.announce(context, callback);
    return answer;
  }

  private async authenticate(
    call: ScimCall,
    mayRemember: boolean,
  ): Promise<Authenticated | undefined> {
    const known = mayRemember ? this.remembered.recall(call) : undefined;
    if (known?.directory && isScimSecret(known.directory, call.apiSecret)) {
      return { directory: known.directory, user: known.user, isRemembered: true };
    }
    const { database, directories } = this.dependencies;
    const { directory, user } = await accessOf(database, directories, call);
    const isSecretRight = isScimSecret(directory, call.apiSecret);
    if (!directory || !isSecretRight) return undefined;
    if (!directory.deactivated) this.remembered.rememberDirectory(directory);
    return { directory, user, isRemembered: false };
  }

  private contextOf(
    { directory, user, isRemembered }: Authenticated,
    wantsEvents: boolean,
  ): ScimContext {
    const { database, directories, limits, cursorKey, externalUrl, logger } = this.dependencies;
    return {
      database,
      directories,
      directory,
      limits,
      cursorKey,
      logger,
      baseUrl: externalUrl + scimPath(directory.id),
      revision: isRemembered ? directory.revision : null,
      userAhead: isRemembered ? undefined : user,
      userRemembered: isRemembered ? user : undefined,
      remembered: this.remembered,
      events: [],
      wantsEvents,
      hasWritten: false,
    };
  }

  /** The change is committed: a callback that fails cannot undo it, so its fault is only logged. */
  private async announce(context: ScimContext, callback?: EventCallback): Promise<void> {
    const { logger, wakeLane } = this.dependencies;
    if (context.directory.isSending) wakeLane(context.directory.id);
    if (!callback) return;
    for (const row of context.events) {
      try {
        await callback(eventPayload(row, context.directory));
      } catch (error) {
        logger.error({ err: error, eventId: row.id }, 'event callback failed');
      }
    }
  }
}

function unauthorised(): ScimAnswer {
  return errorAnswer(401, 'A valid bearer token of this directory is required.', {
    'WWW-Authenticate': 'Bearer realm="scim"',
  });
}
