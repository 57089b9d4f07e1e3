import { LOGGER } from '@gatehouse/nest-kit/logging';
import { PeriodicWork } from '@gatehouse/nest-kit/tasks';
import { Inject, Injectable } from '@nestjs/common';
import { type Logger } from 'pino';
import { LinksRepository } from '../../store/people/links.repository.js';

const EVERY_MS = 3_600_000;
export const UNMATCHED_MAX = 10_000;

/** Counts the actors without a person once a day, and forgets people who left long ago. */
@Injectable()
export class LeaversTasks extends PeriodicWork {
  constructor(links: LinksRepository, @Inject(LOGGER) logger: Logger) {
    super({
      run: async (signal) => {
        await links.forgetOld(signal);
        for (;;) {
          const link = await links.claimCount();
          if (!link || signal?.aborted) return;
          const { length: count } = await links.unmatchedActors(link, UNMATCHED_MAX);
          await links.setCount(link, count);
          const { tenant, product } = link;
          if (count > 0) logger.info({ tenant, product, count }, 'actors of keys are no person');
        }
      },
      intervalMs: EVERY_MS,
      logger,
      failureMessage: 'actors without a person could not be counted',
    });
  }
}
