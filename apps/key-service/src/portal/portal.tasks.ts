import { LOGGER } from '@gatehouse/nest-kit/logging';
import { PeriodicWork } from '@gatehouse/nest-kit/tasks';
import { Inject, Injectable } from '@nestjs/common';
import { type Logger } from 'pino';
import { PortalSessionsService } from './portal-sessions.service.js';

const DELETE_EVERY_MS = 3_600_000;

/** Deletes sessions 30 days after they have expired. */
@Injectable()
export class PortalTasks extends PeriodicWork {
  constructor(sessions: PortalSessionsService, @Inject(LOGGER) logger: Logger) {
    super({
      run: () => sessions.deleteOld(),
      intervalMs: DELETE_EVERY_MS,
      logger,
      failureMessage: 'old portal sessions could not be deleted',
    });
  }
}
