import { type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { type Logger } from 'pino';
import { PeriodicTask } from '@gatehouse/kit/tasks';
import { type AuditEvents } from '@gatehouse/kit/audit';

const INTERVAL_MS = 3_600_000;

/** Deletes audit events that are older than AUDIT_TTL, once an hour; 0 keeps them forever. */
export class AuditRetention implements OnModuleInit, OnApplicationShutdown {
  private readonly task: PeriodicTask;

  constructor(
    private readonly events: AuditEvents,
    private readonly ttlSeconds: number,
    private readonly logger: Logger,
  ) {
    this.task = new PeriodicTask({
      run: () => this.deleteOld(),
      intervalMs: INTERVAL_MS,
      logger,
      failureMessage: 'old audit events could not be deleted',
    });
  }

  onModuleInit(): void {
    if (this.ttlSeconds > 0) this.task.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.task.stop();
  }

  private async deleteOld(): Promise<void> {
    const deleted = await this.events.deleteBefore(new Date(Date.now() - this.ttlSeconds * 1000));
    if (deleted > 0) this.logger.info({ deleted }, 'old audit events deleted');
  }
}
