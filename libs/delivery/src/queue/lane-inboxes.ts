/** Hands the jobs of lanes to workers without the queue, see `Inboxes`. */
import { type Inboxes } from '@gatehouse/kit/exchange';
import { isUuid } from '@gatehouse/kit/ids';
import { Batcher } from '@gatehouse/kit/tasks';
import { type LaneJob } from '@gatehouse/schemas';

/** Jobs that are handed at once. */
const HANDED_MAX = 50;

export class LaneInboxes {
  private readonly hands = new Batcher(
    (jobs: readonly LaneJob[]) =>
      this.inboxes.hand(jobs.map((job) => ({ bucket: bucketOf(job), text: JSON.stringify(job) }))),
    HANDED_MAX,
  );

  constructor(private readonly inboxes: Inboxes) {}

  /**
   * Puts a job in the inbox of the worker that attends to its bucket.
   *
   * @returns false if none does
   * @throws when the store does not answer
   */
  async hand(job: LaneJob): Promise<boolean> {
    return (await this.hands.add(job)) ?? false;
  }
}

/** One of sixteen for each system. */
export function bucketOf({ system, sourceId }: LaneJob): string {
  return `${system}.${String(sourceId).slice(-1)}`;
}

/** The jobs among the entries of an inbox. */
export function jobsOf(entries: readonly string[]): LaneJob[] {
  return entries.flatMap((entry) => jobOf(entry) ?? []);
}

function jobOf(entry: string): LaneJob | undefined {
  try {
    const { system, sourceId, endpointId, traceparent } = JSON.parse(entry) as LaneJob;
    if (typeof system !== 'string' || !isUuid(sourceId)) return undefined;
    return {
      system,
      sourceId,
      ...(isUuid(endpointId) && { endpointId }),
      ...(typeof traceparent === 'string' && { traceparent }),
    };
  } catch {
    return undefined;
  }
}
