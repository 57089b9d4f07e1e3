import { PeriodicTask } from '@gatehouse/kit/tasks';
import { type Logger } from 'pino';

const FLUSH_INTERVAL_MS = 2_000;
const WAITING_MAX = 200_000;
const BATCH_MAX = 1_000;

/** A key and when something happened to it. */
export type KeyUse = readonly [keyId: string, atMs: number];

/** A key and what a verification cost that its credits did not suffice for. */
export type RefusedCost = readonly [keyId: string, cost: number];

export interface BackgroundNotesOptions<Value> {
  /** Writes a batch. No name is twice in it. */
  readonly write: (notes: readonly (readonly [name: string, value: Value])[]) => Promise<void>;
  readonly logger: Logger;
  readonly failureMessage: string;
}

/**
 * Collects what verifications note, by the id of a key or another name, and writes it every two seconds in
 * batches, because verification itself never writes. A crash loses the last two seconds.
 */
export class BackgroundNotes<Value = number> {
  private waiting = new Map<string, Value>();
  private readonly task: PeriodicTask;

  constructor(private readonly options: BackgroundNotesOptions<Value>) {
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

  /** What waits under a name. */
  get(name: string): Value | undefined {
    return this.waiting.get(name);
  }

  /** @returns false if too much is waiting */
  add(name: string, value: Value): boolean {
    if (this.waiting.size >= WAITING_MAX) return false;
    this.waiting.set(name, value);
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
