/** Limits how often the pages of one link are requested, over all replicas. */
import {
  DomainError,
  KitErrors,
  LOGGER,
  REDIS,
  type RedisClient,
  WindowCounter,
} from '@gatehouse/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { type Logger } from 'pino';
import { DsyncApiConfig } from '../config.js';

/** A page that updates itself takes 6; a person takes a few more. */
export const REQUESTS_PER_MINUTE = 120;
const WINDOW_MS = 60_000;

@Injectable()
export class SetupLimits {
  private readonly counter: WindowCounter;

  constructor(
    private readonly config: DsyncApiConfig,
    @Inject(REDIS) redis: RedisClient,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.counter = new WindowCounter(redis, logger, 'open');
  }

  /** Counts a request for a link that exists. @throws DomainError `rate_limited` */
  async count(linkId: string): Promise<void> {
    const name = `${this.config.redisNamespace}dsync:setup:${linkId}`;
    const counted = await this.counter.count(name, WINDOW_MS);
    if (!counted || counted.count <= BigInt(REQUESTS_PER_MINUTE)) return;
    throw new DomainError(KitErrors.RATE_LIMITED, {
      retryAfterSeconds: Math.max(1, Math.ceil(counted.leftMs / 1000)),
    });
  }
}
