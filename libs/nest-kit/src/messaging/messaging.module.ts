import { KeyRing } from '@gatehouse/crypto';
import { type MessagePayloads } from '@gatehouse/schemas';
import {
  type DynamicModule,
  Inject,
  Injectable,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { type Logger } from 'pino';
import { Counter, Registry } from 'prom-client';
import { firstValueFrom, timeout, TimeoutError } from 'rxjs';
import { DomainError } from '@gatehouse/kit/errors';
import { KitErrors } from '@gatehouse/kit/errors';
import { LOGGER } from '../logging/logger.js';
import { inSpan } from '@gatehouse/kit/tracing';
import { messageSpan } from './message-span.js';
import {
  NamespacedRedisClient,
  type ServiceEvent,
  type TransportOptions,
} from './redis-transport.js';
import { SealedMessages } from './sealed-messages.js';

const DEFAULT_TIMEOUT_MS = 2_000;
/** More requests than this at once are refused: each holds memory here and work elsewhere. */
const REQUESTS_MAX = 500;
const CLOCK_WARNING_INTERVAL_MS = 60_000;

export interface MessagingOptions {
  readonly redis: TransportOptions;
  /** MESSAGE_KEYS: the ring that all services share. */
  readonly messages: { readonly keys: readonly string[] };
}

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

type PayloadsByPattern = Record<string, { request: unknown; reply: unknown }>;

/** Sends requests to other services over Redis. */
@Injectable()
export class MessageClient<Payloads extends PayloadsByPattern = MessagePayloads> {
  private pending = 0;

  constructor(private readonly client: NamespacedRedisClient) {}

  /** @throws DomainError `unavailable` without Redis, `deadline_exceeded` without a response */
  async request<Pattern extends keyof Payloads & string>(
    pattern: Pattern,
    payload: Payloads[Pattern]['request'],
    { timeoutMs = DEFAULT_TIMEOUT_MS }: { timeoutMs?: number } = {},
  ): Promise<Payloads[Pattern]['reply']> {
    if (this.pending >= REQUESTS_MAX) throw unreachable();
    this.pending += 1;
    try {
      return await inSpan(messageSpan(pattern, 'client'), () => {
        const replies = this.client.send<Payloads[Pattern]['reply']>(pattern, payload);
        return firstValueFrom(replies.pipe(timeout(timeoutMs)));
      });
    } catch (cause) {
      if (cause instanceof TimeoutError) {
        throw new DomainError(KitErrors.NO_ANSWER, { cause });
      }
      throw unreachable(cause);
    } finally {
      this.pending -= 1;
    }
  }
}

function unreachable(cause?: unknown): DomainError {
  const message = 'A service cannot be reached.';
  return new DomainError(KitErrors.UNAVAILABLE, { message, cause, retryAfterSeconds: 1 });
}

/** Counts messages that are too old, or of the future, and warns once a minute. */
function clockWarning(logger: Logger, registry: Registry): (seconds: number) => void {
  const refused = new Counter({
    name: 'messages_refused_by_clock_total',
    help: 'Messages of other processes that were ignored because their time is too far from the clock.',
    registers: [registry],
  });
  let warnedAtMs = -Infinity;
  return (ageSeconds) => {
    refused.inc();
    const nowMs = performance.now();
    if (nowMs - warnedAtMs < CLOCK_WARNING_INTERVAL_MS) return;
    warnedAtMs = nowMs;
    logger.warn({ ageSeconds }, 'a message was ignored: the clocks of two processes differ');
  };
}

@Module({})
export class MessagingModule implements OnModuleInit, OnApplicationShutdown {
  constructor(private readonly client: NamespacedRedisClient) {}

  /** @param service the name under which this service asks others */
  static forRoot({ redis, messages: { keys } }: MessagingOptions, service: string): DynamicModule {
    const ring = KeyRing.fromTexts(keys);
    return {
      module: MessagingModule,
      global: true,
      providers: [
        {
          provide: NamespacedRedisClient,
          inject: [SealedMessages, LOGGER],
          useFactory: (messages: SealedMessages, logger: Logger) =>
            new NamespacedRedisClient(redis, messages, logger),
        },
        {
          provide: SealedMessages,
          inject: [LOGGER, Registry],
          useFactory: (logger: Logger, registry: Registry) =>
            new SealedMessages(ring, service, clockWarning(logger, registry)),
        },
        EventPublisher,
        MessageClient,
      ],
      exports: [EventPublisher, MessageClient, SealedMessages],
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
