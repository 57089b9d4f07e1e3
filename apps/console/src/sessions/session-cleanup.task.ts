import { LOGGER } from '@gatehouse/nest-kit/logging';
import { PeriodicWork } from '@gatehouse/nest-kit/tasks';
import { Inject, Injectable } from '@nestjs/common';
import { type Logger } from 'pino';
import { SessionsService } from './sessions.service.js';

const INTERVAL_MS = 60_000;

/** Deletes sessions that are over, and revokes their keys. */
@Injectable()
export class SessionCleanup extends PeriodicWork {
  constructor(sessions: SessionsService, @Inject(LOGGER) logger: Logger) {
    super({
      run: async () => {
        await sessions.deleteEnded();
      },
      intervalMs: INTERVAL_MS,
      logger,
      failureMessage: 'deleting ended sessions failed',
    });
  }
}
