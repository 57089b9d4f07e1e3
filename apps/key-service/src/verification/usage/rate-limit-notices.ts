import { LOGGER } from '@gatehouse/nest-kit/logging';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type Logger } from 'pino';
import { BackgroundNotes } from './background-notes.js';
import { KeyUsage } from './key-usage.js';

/** How often a process asks the database about a key at most. */
const ASKED_INTERVAL_MS = 60_000;
const REMEMBERED_MAX = 10_000;

/** Announces that keys exceed their rate limit, at most once an hour for each key. */
@Injectable()
export class RateLimitNotices implements OnModuleInit, OnApplicationShutdown {
  private readonly asked = new LRUCache<string, true>({
    max: REMEMBERED_MAX,
    ttl: ASKED_INTERVAL_MS,
  });
  private readonly notes: BackgroundNotes;

  constructor(usage: KeyUsage, @Inject(LOGGER) logger: Logger) {
    this.notes = new BackgroundNotes({
      write: (uses) => usage.announceRateLimited(uses),
      logger,
      failureMessage: 'rate limited keys could not be announced',
    });
  }

  onModuleInit(): void {
    this.notes.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.notes.stop();
  }

  /** After a verification that a limit refused. */
  announceLater(keyId: string): void {
    if (this.asked.has(keyId)) return;
    this.asked.set(keyId, true);
    this.notes.add(keyId, Date.now());
  }
}
