import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Channels, type KeyInvalidation } from '@gatehouse/schemas';
import { closeRedis, type RedisClient, redisConnection } from '@gatehouse/kit/redis';
import { LOGGER } from '@gatehouse/nest-kit/logging';
import { SealedMessages } from '@gatehouse/nest-kit/messaging';
import { REDIS } from '@gatehouse/nest-kit/redis';
import { type Redis } from 'ioredis';
import { type Logger } from 'pino';
import { KeyServiceConfig } from '../../config.js';
import { KeyCache } from './key-cache.js';

/** Stands in for a key id when the signing keys have changed. */
export const SIGNING_KEYS = 'signing-keys';

/** Stands in for a key id when hashes of another system were imported. */
export const IMPORTED_HASHES = 'imported-hashes';

/** After this time the change is answered anyway. The message is still sent if Redis reconnects. */
const PUBLISH_WAIT_MS = 500;

/**
 * Drops changed keys from the caches of all replicas, over a Redis channel. Messages can get lost:
 * a replica clears its cache when its subscription is restored, and no entry lives longer than
 * CACHE_TTL. While it has none, it keeps its entries, because PostgreSQL may be away too. Messages are
 * sealed, so that an attacker in Redis cannot fill the memory with key ids.
 */
@Injectable()
export class CacheInvalidation implements OnModuleInit, OnApplicationShutdown {
  private subscriber: Redis | undefined;
  private readonly channel: string;
  private onSigningKeysChanged: () => void = () => undefined;
  private onHashesImported: () => void = () => undefined;

  constructor(
    private readonly config: KeyServiceConfig,
    @Inject(REDIS) private readonly redis: RedisClient,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly cache: KeyCache,
    private readonly messages: SealedMessages,
  ) {
    this.channel = config.redis.namespace + Channels.keysInvalidate;
  }

  onModuleInit(): void {
    const subscriber = redisConnection(this.config.redis, 'subscriber', this.logger, {
      autoResubscribe: false,
    });
    subscriber.on('message', (_channel, text) => this.receive(text));
    subscriber.on('ready', () => {
      subscriber.subscribe(this.channel).then(
        () => {
          this.cache.clear();
          this.onSigningKeysChanged();
          this.onHashesImported();
        },
        (error: unknown) => this.logger.warn({ err: error }, 'subscribing to invalidations failed'),
      );
    });
    this.subscriber = subscriber;
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.subscriber) await closeRedis(this.subscriber);
  }

  /** Sets the action to run when the signing keys have changed, here or on another replica. */
  whenSigningKeysChange(action: () => void): void {
    this.onSigningKeysChanged = action;
  }

  /** Sets the action to run when hashes were imported, here or on another replica. */
  whenHashesImported(action: () => void): void {
    this.onHashesImported = action;
  }

  /**
   * Drops the keys here at once, and waits until Redis has the message for the other replicas, but
   * not for a Redis that does not respond. Never throws.
   */
  async publish(keyIds: KeyInvalidation): Promise<void> {
    this.drop(keyIds);
    const published = this.redis
      .publish(this.channel, this.messages.sealEvents(Channels.keysInvalidate, keyIds))
      .catch((error: unknown) => {
        this.logger.debug({ reason: String(error) }, 'invalidation not published');
      });
    let timer: NodeJS.Timeout | undefined;
    const waited = new Promise((resolve) => (timer = setTimeout(resolve, PUBLISH_WAIT_MS)));
    await Promise.race([published, waited]);
    clearTimeout(timer);
  }

  private receive(text: string): void {
    const events = this.messages.openEvents(Channels.keysInvalidate, text);
    this.drop(events.map(({ data }) => data as string));
  }

  private drop(keyIds: KeyInvalidation): void {
    for (const keyId of keyIds) {
      if (keyId === SIGNING_KEYS) {
        this.onSigningKeysChanged();
      } else if (keyId === IMPORTED_HASHES) {
        this.onHashesImported();
        this.cache.clearUnknown();
      } else {
        this.cache.drop(keyId);
      }
    }
  }
}
