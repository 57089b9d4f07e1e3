interface Waiting<Value> {
  readonly id: string;
  readonly resolve: (value: Value | null) => void;
  readonly reject: (error: unknown) => void;
}

const BATCH_MAX = 200;

/**
 * Collects the loads of one turn of the event loop, so that a burst of cache misses, or a batch of
 * 100 credentials, costs one round trip.
 */
export class BatchLoader<Value> {
  private waiting: Waiting<Value>[] = [];

  /** @param read returns the values by id; it may leave out ids that do not exist */
  constructor(
    private readonly read: (ids: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
  ) {}

  /** Loads one value; null when it does not exist. */
  load(id: string): Promise<Value | null> {
    return new Promise((resolve, reject) => {
      if (this.waiting.length === 0) setImmediate(() => this.flush());
      this.waiting.push({ id, resolve, reject });
    });
  }

  private flush(): void {
    const all = this.waiting;
    this.waiting = [];
    for (let from = 0; from < all.length; from += BATCH_MAX) {
      void this.readBatch(all.slice(from, from + BATCH_MAX));
    }
  }

  private async readBatch(batch: readonly Waiting<Value>[]): Promise<void> {
    try {
      const values = await this.read([...new Set(batch.map(({ id }) => id))]);
      for (const { id, resolve } of batch) resolve(values.get(id) ?? null);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
