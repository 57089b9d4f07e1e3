import { LOGGER } from '@gatehouse/nest-kit/logging';
import { PeriodicWork } from '@gatehouse/nest-kit/tasks';
import { Inject, Module } from '@nestjs/common';
import { type Logger } from 'pino';
import { KeyServiceConfig } from '../../config.js';
import { ExpiryNotices } from './expiry-notices.js';
import { ExpiryScan } from './expiry-scan.js';
import { OwnThresholdScan } from './own-threshold-scan.js';
import { UnusedScan } from './unused-scan.js';

@Module({ providers: [ExpiryNotices, ExpiryScan, OwnThresholdScan, UnusedScan] })
export class ExpiryModule extends PeriodicWork {
  constructor(
    expiry: ExpiryScan,
    ownThresholds: OwnThresholdScan,
    unused: UnusedScan,
    { expiryScanIntervalSeconds }: KeyServiceConfig,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({
      run: async (signal) => {
        await expiry.run(signal);
        await ownThresholds.run(signal);
        await unused.run(signal);
      },
      intervalMs: expiryScanIntervalSeconds * 1_000,
      logger,
      failureMessage: 'keys that expire or are unused could not be announced',
    });
  }
}
