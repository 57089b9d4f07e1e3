/** Wakes the lanes of sources; see HintQueue. */
import { type Queues as ExchangeQueues } from '@gatehouse/kit/exchange';
import { type LaneJob, Queues } from '@gatehouse/schemas';
import { type Queue } from 'bullmq';
import { type DeliveryLogger } from '../system.js';
import { HintQueue } from './hint-queue.js';
import { LaneInboxes } from './lane-inboxes.js';

const OPTIONS = {
  queue: Queues.deliveryLane,
  jobName: 'deliver',
  failureMessage: 'lane not woken; the sweep will',
} as const;

export class LaneQueue {
  private readonly queue: HintQueue<LaneJob>;

  /** @param system whose sources are woken, see DeliverySystem.schema */
  constructor(
    queues: ExchangeQueues,
    private readonly system: string,
    logger: DeliveryLogger,
  ) {
    const inboxes = new LaneInboxes(queues.inboxes);
    const options = { ...OPTIONS, hand: (job: LaneJob) => inboxes.hand(job) };
    this.queue = new HintQueue(queues, options, logger);
  }

  /**
   * Returns immediately and never throws. Overlapping wake-ups of a source become one.
   *
   * @param endpointId the only lane to wake
   */
  wake(sourceId: string, endpointId?: string): void {
    const { system } = this;
    const source = `${system}.${sourceId}`;
    if (endpointId === undefined) this.queue.wake(source, { system, sourceId });
    else this.queue.wake(`${source}.${endpointId}`, { system, sourceId, endpointId });
  }

  /** The queue of all systems, for those who only look at it. */
  open(): Promise<Queue> {
    return this.queue.open();
  }
}
