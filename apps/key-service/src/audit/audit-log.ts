// Audit events that belong to no change of a row: derived tokens, and a sample of the failed
// verifications. Events that come together are written together (group commit).
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { EventPublisher, LOGGER } from '@gatehouse/service-kit';
import type { Logger } from 'pino';
import { type AuditEvent, AuditRepository } from './audit.repository.js';

interface Waiting {
  readonly event: AuditEvent;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const BATCH_MAX = 500;

@Injectable()
export class AuditLog implements OnApplicationShutdown {
  private waiting: Waiting[] = [];
  private writing: Promise<void> | undefined;

  constructor(
    private readonly repository: AuditRepository,
    private readonly events: EventPublisher,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    while (this.writing) await this.writing;
  }

  /** Resolves when the event is committed; then other services get their hint. */
  async record(event: AuditEvent): Promise<void> {
    await this.commit(event);
    this.events.publish(event.type, event);
  }

  /** Writes an event without making anybody wait; a fault is logged. */
  recordInBackground(event: AuditEvent): void {
    if (this.waiting.length >= BATCH_MAX) return;
    this.commit(event).catch((error: unknown) => {
      this.logger.warn({ err: error, type: event.type }, 'audit event could not be written');
    });
  }

  private commit(event: AuditEvent): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ event, resolve, reject });
      this.writing ??= new Promise<void>((turn) => setImmediate(turn))
        .then(() => this.write())
        .finally(() => (this.writing = undefined));
    });
  }

  private async write(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, BATCH_MAX);
      try {
        await this.repository.insert(batch.map(({ event }) => event));
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
  }
}
