import { LOGGER } from '@gatehouse/nest-kit/logging';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { type Logger } from 'pino';
import { BackgroundNotes } from './background-notes.js';
import { KeyUsage } from './key-usage.js';

/**
 * Announces that the credits of keys are used up. All refusals are noted, because a balance may get
 * credits and be used up again at any time; they are written together, every two seconds.
 */
@Injectable()
export class CreditNotices implements OnModuleInit, OnApplicationShutdown {
  private readonly notes: BackgroundNotes;

  constructor(usage: KeyUsage, @Inject(LOGGER) logger: Logger) {
    this.notes = new BackgroundNotes({
      write: (refused) => usage.announceExhausted(refused),
      logger,
      failureMessage: 'keys without credits could not be announced',
    });
  }

  onModuleInit(): void {
    this.notes.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.notes.stop();
  }

  /** After a verification that the credits did not suffice for. */
  announceLater(keyId: string, cost: number): void {
    this.notes.add(keyId, cost);
  }
}
