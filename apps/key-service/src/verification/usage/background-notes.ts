import { PeriodicTask } from '@gatehouse/kit/tasks';
import { type Logger } from 'pino';

const FLUSH_INTERVAL_MS = 2_000;
const WAITING_MAX = 200_000;
const BATCH_MAX = 1_000;

/** A key and when something happened to it. */
export type KeyUse = readonly [keyId: string, atMs: number];

/** A key and what a verification cost that its credits did not suffice for. */
export type RefusedCost = readonly [keyId: string, cost: number];

export interface BackgroundNotesOptions {
  /** Writes a batch. No key is twice in it. */
  readonly write: (notes: readonly (readonly [keyId: string, value: number])[]) => Promise<void>;
  readonly logger: Logger;
  readonly failureMessage: string;
}

/**
 * Collects what verifications note about keys and writes it every two seconds in batches, because
 * verification itself never writes. A crash loses the last two seconds.
 */
export class BackgroundNotes {
  private waiting = new Map<string, number>();
  private readonly task: PeriodicTask;

  constructor(private readonly options: BackgroundNotesOptions) {
    this.task = new PeriodicTask({
      run: () => this.flush(),
      intervalMs: FLUSH_INTERVAL_MS,
      logger: options.logger,
      failureMessage: options.failureMessage,
    });
  }

  start(): void {
    this.task.start();
  }

  /** Writes what is left. */
  async stop(): Promise<void> {
    await this.task.stop();
    await this.flush().catch((error: unknown) => {
      this.options.logger.warn({ err: error }, this.options.failureMessage);
    });
  }

  /** @returns false if too much is waiting */
  add(keyId: string, value: number): boolean {
    if (this.waiting.size >= WAITING_MAX) return false;
    this.waiting.set(keyId, value);
    return true;
  }

  private async flush(): Promise<void> {
    const notes = [...this.waiting];
    this.waiting = new Map();
    for (let from = 0; from < notes.length; from += BATCH_MAX) {
      await this.options.write(notes.slice(from, from + BATCH_MAX));
    }
  }
}
