/** Reports setups whose provider has connected, also while no one looks at their page. */

import { PeriodicTask } from '@gatehouse/kit/tasks';
import { LOGGER } from '@gatehouse/nest-kit/logging';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { type Logger } from 'pino';
import { SETUP, type Setup } from './setup.tokens.js';

const CONNECTED_EVERY_MS = 10_000;
const DELETE_EVERY_MS = 3_600_000;

@Injectable()
export class SetupTasks implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly tasks: readonly PeriodicTask[];

  constructor(@Inject(SETUP) setup: Setup, @Inject(LOGGER) logger: Logger) {
    this.tasks = [
      new PeriodicTask({
        run: () => setup.sessions.markConnected(),
        intervalMs: CONNECTED_EVERY_MS,
        logger,
        failureMessage: 'setups that have connected could not be reported',
      }),
      new PeriodicTask({
        run: () => setup.deleteOld(),
        intervalMs: DELETE_EVERY_MS,
        logger,
        failureMessage: 'old setup links could not be deleted',
      }),
    ];
  }

  onApplicationBootstrap(): void {
    this.tasks.forEach((task) => task.start());
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.tasks.map((task) => task.stop()));
  }
}
