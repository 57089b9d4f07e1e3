import {
  type DynamicModule,
  Inject,
  Injectable,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { type Logger } from 'pino';
import { firstValueFrom, timeout, TimeoutError } from 'rxjs';
import { DomainError } from '../errors/domain-error.js';
import { KitErrors } from '../errors/kit.errors.js';
import { LOGGER } from '../logging/logger.js';
import {
  NamespacedRedisClient,
  type ServiceEvent,
  type TransportOptions,
} from './redis-transport.js';

const DEFAULT_TIMEOUT_MS = 2_000;

/** Publishes events to other services. Call it after the commit; events are hints and may be lost. */
@Injectable()
export class EventPublisher {
  private waiting: ServiceEvent[] = [];

  constructor(
    private readonly client: NamespacedRedisClient,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Publishes in the background and never throws. The event is dropped while Redis is unavailable. */
  publish(pattern: string, payload: object): void {
    if (this.waiting.length === 0) process.nextTick(() => this.send());
    this.waiting.push({ pattern, payload });
  }

  /** Events of one turn of the event loop are sent together. */
  private send(): void {
    const events = this.waiting;
    this.waiting = [];
    this.client.publishEvents(events).catch((error: unknown) => {
      const patterns = [...new Set(events.map(({ pattern }) => pattern))];
      this.logger.debug({ patterns, reason: String(error) }, 'event hints not published');
    });
  }
}

/** Sends requests to other services over Redis. */
@Injectable()
export class MessageClient {
  constructor(private readonly client: NamespacedRedisClient) {}

  /**
   * @param pattern one of MessagePatterns
   * @throws DomainError `unavailable` without Redis, `deadline_exceeded` without a response
   */
  async request<T>(
    pattern: string,
    payload: unknown,
    { timeoutMs = DEFAULT_TIMEOUT_MS }: { timeoutMs?: number } = {},
  ): Promise<T> {
    try {
      return await firstValueFrom(this.client.send<T>(pattern, payload).pipe(timeout(timeoutMs)));
    } catch (cause) {
      if (cause instanceof TimeoutError) {
        throw new DomainError(KitErrors.NO_ANSWER, { cause });
      }
      const message = 'A service cannot be reached.';
      throw new DomainError(KitErrors.UNAVAILABLE, { message, cause, retryAfterSeconds: 1 });
    }
  }
}

@Module({})
export class MessagingModule implements OnModuleInit, OnApplicationShutdown {
  constructor(private readonly client: NamespacedRedisClient) {}

  static forRoot(transport: TransportOptions): DynamicModule {
    return {
      module: MessagingModule,
      global: true,
      providers: [
        {
          provide: NamespacedRedisClient,
          inject: [LOGGER],
          useFactory: (logger: Logger) => new NamespacedRedisClient(transport, logger),
        },
        EventPublisher,
        MessageClient,
      ],
      exports: [EventPublisher, MessageClient],
    };
  }

  onModuleInit(): void {
    // In the background, because a service starts and serves without Redis.
    this.client.connect().catch(() => undefined);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.client.close();
  }
}
