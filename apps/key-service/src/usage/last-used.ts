import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { LOGGER, PeriodicTask } from '@gatehouse/service-kit';
import { type Logger } from 'pino';
import { KeysRepository } from '../records/keys.repository.js';

const INTERVAL_MS = 60_000;
const FLUSH_INTERVAL_MS = 2_000;
const WAITING_MAX = 200_000;
const BATCH_MAX = 1_000;
const FAILURE_MESSAGE = 'last use could not be written';

/**
 * Collects when keys were used and writes it in batches, because verification itself never writes.
 * A key is written at most once a minute. A crash loses the last two seconds.
 */
@Injectable()
export class LastUsed implements OnModuleInit, OnApplicationShutdown {
  private waiting = new Map<string, number>();
  private readonly task: PeriodicTask;

  constructor(
    private readonly keys: KeysRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.task = new PeriodicTask({
      run: () => this.flush(),
      intervalMs: FLUSH_INTERVAL_MS,
      logger,
      failureMessage: FAILURE_MESSAGE,
    });
  }

  onModuleInit(): void {
    this.task.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.task.stop();
    await this.flush().catch((error: unknown) => {
      this.logger.warn({ err: error }, FAILURE_MESSAGE);
    });
  }

  /** Records a use at `nowMs`, unless one was recorded in the last minute. */
  note(key: { keyId: string; useNotedAtMs: number }, nowMs: number): void {
    if (nowMs - key.useNotedAtMs < INTERVAL_MS || this.waiting.size >= WAITING_MAX) return;
    key.useNotedAtMs = nowMs;
    this.waiting.set(key.keyId, nowMs);
  }

  private async flush(): Promise<void> {
    const uses = [...this.waiting];
    this.waiting = new Map();
    for (let from = 0; from < uses.length; from += BATCH_MAX) {
      await this.keys.touchLastUsed(uses.slice(from, from + BATCH_MAX), INTERVAL_MS);
    }
  }
}
