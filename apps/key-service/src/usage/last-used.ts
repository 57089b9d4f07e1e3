// Notes when keys were used and writes it later, many at once: verification itself never writes.
// A key is written at most once a minute; what a crash loses is seconds of a hint.
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { LOGGER } from '@gatehouse/service-kit';
import type { Logger } from 'pino';
import { KeysDatabase } from '../database/keys-database.js';

const INTERVAL_MS = 60_000;
const FLUSH_INTERVAL_MS = 2_000;
const WAITING_MAX = 200_000;
const BATCH_MAX = 1_000;

@Injectable()
export class LastUsed implements OnModuleInit, OnApplicationShutdown {
  private waiting = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;
  private flushing = Promise.resolve();

  constructor(
    private readonly database: KeysDatabase,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.timer = setInterval(() => void this.flush(), FLUSH_INTERVAL_MS);
    this.timer.unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  note(key: { keyId: string; useNotedAtMs: number }, nowMs: number): void {
    if (nowMs - key.useNotedAtMs < INTERVAL_MS || this.waiting.size >= WAITING_MAX) return;
    key.useNotedAtMs = nowMs;
    this.waiting.set(key.keyId, nowMs);
  }

  private flush(): Promise<void> {
    this.flushing = this.flushing.then(() => this.write());
    return this.flushing;
  }

  private async write(): Promise<void> {
    const uses = [...this.waiting];
    this.waiting = new Map();
    try {
      for (let from = 0; from < uses.length; from += BATCH_MAX) {
        const batch = uses.slice(from, from + BATCH_MAX).sort(([a], [b]) => (a < b ? -1 : 1));
        await this.database.rows(
          `UPDATE keys.api_keys AS stored SET last_used_time = used.at
           FROM unnest($1::text[], $2::timestamptz[]) AS used (key_id, at)
           WHERE stored.key_id = used.key_id
             AND (stored.last_used_time IS NULL
               OR stored.last_used_time < used.at - interval '${INTERVAL_MS} milliseconds')`,
          [batch.map(([keyId]) => keyId), batch.map(([, atMs]) => new Date(atMs))],
        );
      }
    } catch (error) {
      this.logger.warn({ err: error }, 'last use could not be written');
    }
  }
}
