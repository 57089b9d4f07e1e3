import { type Exchange } from '@gatehouse/kit/exchange';
import { Inject, Injectable } from '@nestjs/common';
import { type Logger } from 'pino';
import { LOGGER } from '../logging/logger.js';
import { EXCHANGE } from './exchange.token.js';

interface ServiceEvent {
  readonly pattern: string;
  readonly payload: object;
}

/** Publishes events to other services. Call it after the commit; events are hints and may be lost. */
@Injectable()
export class EventPublisher {
  private waiting: ServiceEvent[] = [];

  constructor(
    @Inject(EXCHANGE) private readonly exchange: Exchange,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Publishes in the background and never throws. The event is dropped while it cannot be sent. */
  publish(pattern: string, payload: object): void {
    if (this.waiting.length === 0) process.nextTick(() => this.send());
    this.waiting.push({ pattern, payload });
  }

  /** Events of one turn of the event loop are sent together. */
  private send(): void {
    const events = this.waiting;
    this.waiting = [];
    this.exchange.messages.publish(events).catch((error: unknown) => {
      const patterns = [...new Set(events.map(({ pattern }) => pattern))];
      this.logger.debug({ patterns, reason: String(error) }, 'event hints not published');
    });
  }
}
