import { type EndpointKey, KEY_SERVICE_ENDPOINT } from '@gatehouse/delivery';
import { Semaphore } from '@gatehouse/kit/tasks';
import { type Delivery } from '../delivery/create-delivery.js';
import { type SyncLogger } from '../sync-logger.js';

const ENDPOINTS_AT_ONCE = 16;

/** Delivers webhooks in this process. Leases keep processes from delivering the same one at once. */
export class Webhooks {
  private readonly places = new Semaphore({ max: ENDPOINTS_AT_ONCE });
  private readonly underWay = new Map<string, Promise<void>>();

  constructor(
    private readonly delivery: Delivery,
    private readonly logger: SyncLogger,
    private readonly signal: AbortSignal,
  ) {}

  /** Begins to deliver to each endpoint that is due, and waits for none of them. */
  async start(): Promise<void> {
    if (this.signal.aborted) return;
    const due = await this.delivery.sweep();
    const found = due.map((id) => this.delivery.endpointsOf(id, () => undefined));
    for (const endpoint of (await Promise.all(found)).flat()) this.deliver(endpoint);
  }

  /** Resolves when nothing is being delivered. */
  async ended(): Promise<void> {
    await Promise.all(this.underWay.values());
  }

  private deliver(endpoint: EndpointKey): void {
    const key = `${endpoint.sourceId} ${endpoint.id}`;
    if (endpoint.id === KEY_SERVICE_ENDPOINT || this.underWay.has(key)) return;
    const delivered = this.places
      .run(() => this.runLane(endpoint))
      .catch((error: unknown) => {
        if (this.signal.aborted) return;
        this.logger.warn(
          { err: error, ...endpoint },
          'webhooks not delivered; they are sent later',
        );
      })
      .finally(() => this.underWay.delete(key));
    this.underWay.set(key, delivered);
  }

  private async runLane(endpoint: EndpointKey): Promise<void> {
    while (!this.signal.aborted) {
      const { reason } = await this.delivery.runLane(endpoint, this.signal);
      if (reason !== 'yielded') return;
    }
  }
}
