import { LOGGER } from '@gatehouse/nest-kit/logging';
import { PeriodicWork } from '@gatehouse/nest-kit/tasks';
import { Inject, Injectable } from '@nestjs/common';
import { type Logger } from 'pino';
import { UsedTokensRepository } from '../../store/keys/used-tokens.repository.js';

const DELETE_EVERY_MS = 600_000;

/** Deletes used tokens that no exchange accepts any longer. */
@Injectable()
export class UsedTokensTask extends PeriodicWork {
  constructor(tokens: UsedTokensRepository, @Inject(LOGGER) logger: Logger) {
    super({
      run: (signal) => tokens.deleteExpired(signal),
      intervalMs: DELETE_EVERY_MS,
      logger,
      failureMessage: 'used tokens could not be deleted',
    });
  }
}
