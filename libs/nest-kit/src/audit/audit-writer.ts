import { type BeforeApplicationShutdown } from '@nestjs/common';
import { type Logger } from 'pino';
import { type AuditRecord } from '@gatehouse/kit/audit';
import { type AuditEvents } from '@gatehouse/kit/audit';

interface Waiting {
  readonly event: AuditRecord;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const BATCH_MAX = 500;
const WRITES_MAX = 3;

/**
 * Writes audit events that belong to no transaction, such as those of refused calls. Concurrent
 * events share one insert (group commit).
 */
export class AuditWriter implements BeforeApplicationShutdown {
  private waiting: Waiting[] = [];
  private readonly writes = new Set<Promise<void>>();

  constructor(
    private readonly events: Pick<AuditEvents, 'insert'>,
    private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  /** Runs after the HTTP service has ended and before the database is closed. */
  async beforeApplicationShutdown(): Promise<void> {
    while (this.waiting.length > 0 || this.writes.size > 0) {
      this.write();
      await Promise.all(this.writes);
    }
  }

  /** Resolves when the event is committed. */
  record(event: AuditRecord): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.waiting.length === 0) setImmediate(() => this.write());
      this.waiting.push({ event, resolve, reject });
    });
  }

  /** Writes an event in the background; a failure is logged. */
  recordInBackground(event: AuditRecord): void {
    if (this.waiting.length >= BATCH_MAX) return;
    this.record(event).catch((error: unknown) => {
      this.logger.warn({ err: error, type: event.type }, 'audit event could not be written');
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
      await this.events.insert(batch.map(({ event }) => event));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
