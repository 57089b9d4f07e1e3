/** Counts in memory: exact for one process, and lost with it. */
import {
  type BucketCall,
  type BucketCharge,
  type BucketCounter,
  type BucketState,
  type Counters,
  type WindowCount,
  type WindowCounter,
} from '../exchange.js';
import { Recent } from './recent.js';

/** Of one limit: some 15 MB. */
const NAMES_MAX = 100_000;

export const LOCAL_COUNTERS: Counters = {
  windows: () => new LocalWindows(),
  buckets: () => new LocalBuckets(),
};

class LocalWindows implements WindowCounter {
  private readonly windows = new Recent<{ count: bigint; endsAtMs: number }>(NAMES_MAX);

  count(name: string, windowMs: number): Promise<WindowCount> {
    const nowMs = performance.now();
    let window = this.windows.get(name);
    if (!window || window.endsAtMs <= nowMs) {
      window = { count: 0n, endsAtMs: nowMs + windowMs };
      this.windows.set(name, window);
    }
    window.count += 1n;
    // The difference of two sums may be a little more.
    const leftMs = Math.min(windowMs, window.endsAtMs - nowMs);
    return Promise.resolve({ count: window.count, leftMs });
  }
}

interface StoredBucket {
  readonly backlogMicros: number;
  readonly atMicros: number;
}

class LocalBuckets implements BucketCounter {
  private readonly stored = new Recent<StoredBucket>(NAMES_MAX);

  charge(calls: readonly BucketCall[], isPeek: boolean): Promise<BucketCharge> {
    const atMicros = performance.now() * 1_000;
    const backlogs = calls.map((call) => this.backlogOf(call, atMicros));
    const isAdmitted = calls.every(
      (call, index) => call.cost <= 0 || hasRoom(call, backlogs[index] as number),
    );
    const buckets = calls.map((call, index): BucketState => {
      const backlogMicros = backlogs[index] as number;
      if (!isAdmitted || isPeek || (call.cost === 0 && call.slice === 0)) {
        return { backlogMicros, granted: 0 };
      }
      const charged = chargedBy(call, backlogMicros);
      this.stored.set(call.key, { backlogMicros: charged.backlogMicros, atMicros });
      return charged;
    });
    return Promise.resolve({ isAdmitted, buckets });
  }

  private backlogOf({ key, windowMicros }: BucketCall, atMicros: number): number {
    const stored = this.stored.get(key);
    if (!stored) return 0;
    const drainedMicros = atMicros - stored.atMicros;
    return Math.max(0, Math.min(stored.backlogMicros, windowMicros) - drainedMicros);
  }
}

/** A thousandth of a unit is what rounding may have added. */
function hasRoom({ cost, unitMicros, burst }: BucketCall, backlogMicros: number): boolean {
  return backlogMicros + cost * unitMicros <= (burst + 0.001) * unitMicros;
}

function chargedBy({ cost, slice, unitMicros, burst }: BucketCall, backlog: number): BucketState {
  const paidMicros = Math.max(0, backlog + cost * unitMicros);
  const share = Math.floor((burst - paidMicros / unitMicros) / 8);
  const granted = Math.max(0, Math.min(slice, share));
  return { backlogMicros: paidMicros + granted * unitMicros, granted };
}
