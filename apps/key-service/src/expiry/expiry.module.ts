import { LOGGER, PeriodicTask } from '@gatehouse/service-kit';
import { Inject, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { type Logger } from 'pino';
import { KeyServiceConfig } from '../config.js';
import { ExpiryScan } from './expiry-scan.js';

@Module({ providers: [ExpiryScan] })
export class ExpiryModule implements OnModuleInit, OnApplicationShutdown {
  private readonly task: PeriodicTask;

  constructor(
    scan: ExpiryScan,
    { expiryScanIntervalSeconds }: KeyServiceConfig,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.task = new PeriodicTask({
      run: (signal) => scan.run(signal),
      intervalMs: expiryScanIntervalSeconds * 1_000,
      logger,
      failureMessage: 'keys that expire could not be announced',
    });
  }

  onModuleInit(): void {
    this.task.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.task.stop();
  }
}
