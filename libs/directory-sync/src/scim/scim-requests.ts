/**
 * One SCIM request from credential to answer. Nothing is kept between two requests: what one needs
 * is read with it. The credential is checked before anything else is looked at; an unknown
 * directory, a wrong secret and none at all are answered alike.
 */
import type { Database } from '../database/database.js';
import type { DirectoryAccess, DirectoryRepository } from '../directories/directory.repository.js';
import { isScimSecret } from '../directories/directory-secrets.js';
import { scimPath } from '../directories/directory.view.js';
import type { DirectoryEvent } from '../events/event.types.js';
import { eventPayload } from '../events/event.view.js';
import type { SyncLogger } from '../result.js';
import { accessOf } from './scim-access.js';
import { dispatch } from './scim-dispatch.js';
import { errorAnswer, scimFailure } from './scim-errors.js';
import type { ScimAnswer, ScimCall, ScimContext, ScimLimits } from './scim.types.js';

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

export class ScimRequests {
  constructor(private readonly dependencies: ScimDependencies) {}

  /** Answers a request; never throws, whatever the request holds. */
  async respond(call: ScimCall, callback?: EventCallback): Promise<ScimAnswer> {
    const { logger } = this.dependencies;
    try {
      const { database, directories } = this.dependencies;
      const { directory, user } = await accessOf(database, directories, call);
      const isSecretRight = isScimSecret(directory, call.apiSecret);
      if (!directory || !isSecretRight) return unauthorised();
      if (directory.deactivated) return errorAnswer(403, 'The directory is deactivated.');
      const context = { ...this.contextOf(directory, callback !== undefined), userAhead: user };
      const answer = await dispatch(context, call).catch((error: unknown) =>
        scimFailure(error, logger),
      );
      if (context.hasWritten) await this.announce(context, callback);
      return answer;
    } catch (error) {
      return scimFailure(error, logger);
    }
  }

  private contextOf(directory: DirectoryAccess, wantsEvents: boolean): ScimContext {
    const { database, directories, limits, cursorKey, externalUrl, logger } = this.dependencies;
    return {
      database,
      directories,
      directory,
      limits,
      cursorKey,
      logger,
      baseUrl: externalUrl + scimPath(directory.id),
      eventState: directory.isSending ? 'pending' : 'not_sent',
      events: [],
      wantsEvents,
      hasWritten: false,
    };
  }

  /** The change is committed: a callback that fails cannot undo it, so its fault is only logged. */
  private async announce(context: ScimContext, callback?: EventCallback): Promise<void> {
    const { logger, wakeLane } = this.dependencies;
    if (context.eventState === 'pending') wakeLane(context.directory.id);
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
