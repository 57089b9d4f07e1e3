import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { EventPublisher, LOGGER } from '@gatehouse/service-kit';
import type { Logger } from 'pino';
import type { AuditEvent } from './audit-event.js';
import { AuditRepository } from './audit.repository.js';

interface Waiting {
  readonly event: AuditEvent;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const BATCH_MAX = 500;
const WRITES_MAX = 3;

/**
 * Writes audit events outside of a transaction: derived tokens and a sample of the failed
 * verifications. Concurrent events share one insert (group commit).
 */
@Injectable()
export class AuditLog implements OnApplicationShutdown {
  private waiting: Waiting[] = [];
  private readonly writes = new Set<Promise<void>>();

  constructor(
    private readonly repository: AuditRepository,
    private readonly events: EventPublisher,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    while (this.waiting.length > 0 || this.writes.size > 0) {
      this.write();
      await Promise.all(this.writes);
    }
  }

  /** Resolves when the event is committed; only then is it published to other services. */
  async record(event: AuditEvent): Promise<void> {
    await this.commit(event);
    this.events.publish(event.type, event);
  }

  /** Writes an event in the background; a failure is logged. */
  recordInBackground(event: AuditEvent): void {
    if (this.waiting.length >= BATCH_MAX) return;
    this.commit(event).catch((error: unknown) => {
      this.logger.warn({ err: error, type: event.type }, 'audit event could not be written');
    });
  }

  private commit(event: AuditEvent): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.waiting.length === 0) setImmediate(() => this.write());
      this.waiting.push({ event, resolve, reject });
    });
  }

  /** Up to WRITES_MAX inserts run at the same time; later events wait for one of them. */
  private write(): void {
    while (this.waiting.length > 0 && this.writes.size < WRITES_MAX) {
      const batch = this.waiting.splice(0, BATCH_MAX);
      const write = this.insert(batch).finally(() => {
        this.writes.delete(write);
        this.write();
      });
      this.writes.add(write);
    }
  }

  private async insert(batch: readonly Waiting[]): Promise<void> {
    try {
      await this.repository.insert(batch.map(({ event }) => event));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
