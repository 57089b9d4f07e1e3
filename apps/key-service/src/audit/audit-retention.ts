import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { LOGGER } from '@gatehouse/service-kit';
import type { Logger } from 'pino';
import { KeyServiceConfig } from '../config.js';
import { AuditRepository } from './audit.repository.js';

const INTERVAL_MS = 3_600_000;

/** Deletes audit events that are older than AUDIT_TTL, once an hour. */
@Injectable()
export class AuditRetention implements OnModuleInit, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly config: KeyServiceConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly repository: AuditRepository,
  ) {}

  onModuleInit(): void {
    if (this.config.auditTtlSeconds === 0) return;
    this.timer = setInterval(() => void this.deleteOld(), INTERVAL_MS);
    this.timer.unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async deleteOld(): Promise<void> {
    try {
      const deleted = await this.repository.deleteBefore(
        new Date(Date.now() - this.config.auditTtlSeconds * 1000),
      );
      if (deleted > 0) this.logger.info({ deleted }, 'old audit events deleted');
    } catch (error) {
      this.logger.warn({ err: error }, 'old audit events could not be deleted');
    }
  }
}
