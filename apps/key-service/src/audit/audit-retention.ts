import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { LOGGER, PeriodicTask } from '@gatehouse/service-kit';
import type { Logger } from 'pino';
import { KeyServiceConfig } from '../config.js';
import { AuditRepository } from './audit.repository.js';

const INTERVAL_MS = 3_600_000;

/** Deletes audit events that are older than AUDIT_TTL, once an hour. */
@Injectable()
export class AuditRetention implements OnModuleInit, OnApplicationShutdown {
  private readonly task: PeriodicTask;

  constructor(
    private readonly config: KeyServiceConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly repository: AuditRepository,
  ) {
    this.task = new PeriodicTask({
      run: () => this.deleteOld(),
      intervalMs: INTERVAL_MS,
      logger,
      failureMessage: 'old audit events could not be deleted',
    });
  }

  onModuleInit(): void {
    if (this.config.auditTtlSeconds > 0) this.task.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.task.stop();
  }

  private async deleteOld(): Promise<void> {
    const deleted = await this.repository.deleteBefore(
      new Date(Date.now() - this.config.auditTtlSeconds * 1000),
    );
    if (deleted > 0) this.logger.info({ deleted }, 'old audit events deleted');
  }
}
