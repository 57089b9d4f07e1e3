/**
 * Runs of lanes that take long, most of them because their endpoint is slow. They have places of their
 * own, so that lanes that end soon do not wait for them. A lane that took long twice in a row is expected
 * to do so again, and gets such a place at once, or waits for one. One long run is not enough: a busy
 * machine makes any lane slow, which would then wait for those that always are.
 */
import { Semaphore } from '@gatehouse/kit/tasks';

/** A run that takes longer is long. */
export const PATIENCE_MS = 100;
const LONG_RUNS_IN_A_ROW = 2;
/** More endpoints than this are not remembered. */
const REMEMBERED_MAX = 20_000;

type Run = () => Promise<void>;

export class LongRuns {
  /** The number of long runs in a row of endpoints whose last run was long, the least recent first. */
  private readonly inARow = new Map<string, number>();
  private readonly places: Semaphore;
  private isClosed = false;

  /** @param max runs under way at once */
  constructor(max: number) {
    this.places = new Semaphore({ max });
  }

  /** Whether the last runs of an endpoint were long. */
  expects(endpointId: string): boolean {
    return (this.inARow.get(endpointId) ?? 0) >= LONG_RUNS_IN_A_ROW;
  }

  /** A run of an endpoint was not long. */
  forget(endpointId: string): void {
    this.inARow.delete(endpointId);
  }

  /** Starts a run when there is a place, in the order of the calls. */
  add(endpointId: string, run: Run): void {
    void this.places.run(async () => {
      if (this.isClosed) return;
      const startedAt = performance.now();
      try {
        await run();
      } finally {
        if (performance.now() - startedAt > PATIENCE_MS) this.remember(endpointId);
        else this.forget(endpointId);
      }
    });
  }

  /** Gives a place to a run that turns out to be long. @returns false if all are taken */
  adopt(endpointId: string, run: Promise<void>): boolean {
    this.remember(endpointId);
    if (!this.places.tryTake()) return false;
    void run.finally(() => this.places.release());
    return true;
  }

  /** Starts nothing any more. What waits is left to the sweep of another worker. */
  close(): void {
    this.isClosed = true;
  }

  private remember(endpointId: string): void {
    const before = this.inARow.get(endpointId) ?? 0;
    this.inARow.delete(endpointId);
    this.inARow.set(endpointId, before + 1);
    const [oldest] = this.inARow.keys();
    if (this.inARow.size > REMEMBERED_MAX && oldest) this.inARow.delete(oldest);
  }
}
