import { PeriodicTask } from '@gatehouse/kit/tasks';
import { LOGGER } from '@gatehouse/nest-kit/logging';
import { Inject, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { type Logger } from 'pino';
import { KeyServiceConfig } from '../../config.js';
import { ExpiryNotices } from './expiry-notices.js';
import { ExpiryScan } from './expiry-scan.js';
import { OwnThresholdScan } from './own-threshold-scan.js';
import { UnusedScan } from './unused-scan.js';

@Module({ providers: [ExpiryNotices, ExpiryScan, OwnThresholdScan, UnusedScan] })
export class ExpiryModule implements OnModuleInit, OnApplicationShutdown {
  private readonly task: PeriodicTask;

  constructor(
    expiry: ExpiryScan,
    ownThresholds: OwnThresholdScan,
    unused: UnusedScan,
    { expiryScanIntervalSeconds }: KeyServiceConfig,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.task = new PeriodicTask({
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

  onModuleInit(): void {
    this.task.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.task.stop();
  }
}
