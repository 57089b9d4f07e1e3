import { PeriodicTask } from '@gatehouse/kit/tasks';
import { LOGGER } from '@gatehouse/nest-kit/logging';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { type Logger } from 'pino';
import { PortalSessionsService } from './portal-sessions.service.js';

const DELETE_EVERY_MS = 3_600_000;

/** Deletes sessions 30 days after they have expired. */
@Injectable()
export class PortalTasks implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly task: PeriodicTask;

  constructor(sessions: PortalSessionsService, @Inject(LOGGER) logger: Logger) {
    this.task = new PeriodicTask({
      run: () => sessions.deleteOld(),
      intervalMs: DELETE_EVERY_MS,
      logger,
      failureMessage: 'old portal sessions could not be deleted',
    });
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.task.stop();
  }
}
