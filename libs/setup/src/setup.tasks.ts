/** Reports setups whose provider has connected, also while no one looks at their page. */

import { LOGGER } from '@gatehouse/nest-kit/logging';
import { PeriodicWork } from '@gatehouse/nest-kit/tasks';
import { Inject, Injectable } from '@nestjs/common';
import { type Logger } from 'pino';
import { SETUP, type Setup } from './setup.tokens.js';

const CONNECTED_EVERY_MS = 10_000;
const DELETE_EVERY_MS = 3_600_000;

@Injectable()
export class SetupTasks extends PeriodicWork {
  constructor(@Inject(SETUP) setup: Setup, @Inject(LOGGER) logger: Logger) {
    super(
      {
        run: () => setup.sessions.markConnected(),
        intervalMs: CONNECTED_EVERY_MS,
        logger,
        failureMessage: 'setups that have connected could not be reported',
      },
      {
        run: () => setup.deleteOld(),
        intervalMs: DELETE_EVERY_MS,
        logger,
        failureMessage: 'old setup links could not be deleted',
      },
    );
  }
}
