import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { LOGGER } from '@gatehouse/nest-kit/logging';
import { type Logger } from 'pino';
import { BackgroundNotes } from './background-notes.js';
import { KeyUsage } from './key-usage.js';

const INTERVAL_MS = 60_000;

/** Collects when keys were used. A key is written at most once a minute. */
@Injectable()
export class LastUsed implements OnModuleInit, OnApplicationShutdown {
  private readonly notes: BackgroundNotes;

  constructor(usage: KeyUsage, @Inject(LOGGER) logger: Logger) {
    this.notes = new BackgroundNotes({
      write: (uses) => usage.record(uses, INTERVAL_MS),
      logger,
      failureMessage: 'last use could not be written',
    });
  }

  onModuleInit(): void {
    this.notes.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.notes.stop();
  }

  /** Records a use at `nowMs`, unless one was recorded in the last minute. */
  recordUse(key: { keyId: string; useNotedAtMs: number }, nowMs: number): void {
    const notedAtMs = performance.now();
    if (notedAtMs - key.useNotedAtMs < INTERVAL_MS || !this.notes.add(key.keyId, nowMs)) return;
    key.useNotedAtMs = notedAtMs;
  }
}
