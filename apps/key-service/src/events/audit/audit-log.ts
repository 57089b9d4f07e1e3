import { Injectable } from '@nestjs/common';
import { type KeyEvent } from '@gatehouse/schemas';
import { AuditWriter } from '@gatehouse/nest-kit/audit';
import { EventPublisher } from '@gatehouse/nest-kit/exchange';

/** Audit events outside of a transaction that other services receive: derived tokens. */
@Injectable()
export class AuditLog {
  constructor(
    private readonly writer: AuditWriter,
    private readonly events: EventPublisher,
  ) {}

  /** Resolves when the event is committed; only then is it published to other services. */
  async record(event: KeyEvent): Promise<void> {
    await this.writer.record(event);
    this.events.publish(event.type, event);
  }
}
