/**
 * The leases of the lanes that one process runs. They are renewed together, in one statement, so that
 * a thousand lanes that wait for slow endpoints cost little more than one.
 */
import { type DeliveryLogger } from '../system.js';
import { type EndpointKey } from '../endpoints/endpoint.types.js';
import { type LaneRepository } from './lane.repository.js';

const RENEWAL_MS = 3_000;

interface HeldLease {
  endpoint: EndpointKey;
  onLost: () => void;
}

export class Leases {
  private readonly held = new Map<string, HeldLease>();
  private timer: NodeJS.Timeout | undefined;
  private isRenewing = false;

  constructor(
    private readonly lanes: LaneRepository,
    private readonly logger: DeliveryLogger,
  ) {}

  /** Renews a lease that a run has taken, until `forget`. */
  keep(endpoint: EndpointKey, runId: string, onLost: () => void): void {
    this.held.set(runId, { endpoint, onLost });
    this.timer ??= setInterval(() => void this.renew(), RENEWAL_MS);
  }

  /** Ends the renewals of a run. */
  forget(runId: string): void {
    this.held.delete(runId);
    if (this.held.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private async renew(): Promise<void> {
    if (this.isRenewing) return;
    this.isRenewing = true;
    try {
      const runIds = [...this.held.keys()];
      const endpoints = [...this.held.values()].map(({ endpoint }) => endpoint);
      const lost = await this.lanes.renew(endpoints, runIds);
      for (const runId of lost) this.held.get(runId)?.onLost();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.logger.warn({ reason }, 'leases not renewed');
    } finally {
      this.isRenewing = false;
    }
  }
}
