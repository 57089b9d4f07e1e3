/** A worker: it runs the lanes of the sources that it is woken for, and sweeps. */
import {
  createDelivery,
  type Delivery,
  type DeliverySystem,
  type LaneSettings,
} from '../../src/index.js';
import { SCHEMA, type Session } from './session.js';
import { type Process, type World } from '@gatehouse/testing/simulation';

const SWEEP_MS = 5_000;
const BUSY_RETRY_MS = 1_000;

const system: DeliverySystem = {
  schema: SCHEMA,
  payloads: (_sourceId, events) =>
    events.map(({ id, type, sequence }) => ({ event: type, id, sequence: Number(sequence) })),
  seal: (_endpointId, _column, text) => text,
  open: (_endpointId, _column, sealed) => sealed,
};

export class Worker implements Process {
  isDead = false;
  private readonly stopping = new AbortController();
  /** The lanes that run, and whether they were woken meanwhile. */
  private readonly running = new Map<string, { again: boolean; ended: Promise<void> }>();
  private readonly delivery: Delivery;
  private readonly timer: NodeJS.Timeout;
  readonly session: Session;

  constructor(
    private readonly world: World,
    sessionOf: (process: Process) => Session,
    settings: LaneSettings,
    private readonly wake: (sourceId: string) => void,
  ) {
    this.session = sessionOf(this);
    this.delivery = createDelivery({
      sql: this.session.sql,
      system,
      outbound: { allowPrivate: true },
      settings,
      logger: { warn: () => undefined },
    });
    this.timer = world.as(this, () => setInterval(() => void this.sweep(), SWEEP_MS));
  }

  get isStopping(): boolean {
    return this.isDead || this.stopping.signal.aborted;
  }

  /** Runs the lanes of a source. */
  take(sourceId: string): void {
    void this.world.as(this, () => this.runLanes(sourceId));
  }

  /** As SIGKILL. */
  kill(): void {
    this.isDead = true;
  }

  /** As SIGTERM: resolves when the lanes have ended. */
  async stop(): Promise<void> {
    this.stopping.abort();
    clearInterval(this.timer);
    await Promise.all([...this.running.values()].map(({ ended }) => ended));
  }

  private async sweep(): Promise<void> {
    const sourceIds = await this.delivery.sweep().catch(() => []);
    sourceIds.forEach((sourceId) => this.take(sourceId));
  }

  private async runLanes(sourceId: string): Promise<void> {
    if (this.isStopping) return;
    const wake = () => this.wake(sourceId);
    const endpoints = await this.delivery.endpointsOf(sourceId, wake).catch(() => []);
    for (const { id } of endpoints) this.startLane(sourceId, id);
  }

  private startLane(sourceId: string, id: string): void {
    const running = this.running.get(id);
    if (running) running.again = true;
    if (running || this.isStopping) return;
    const lane = { again: false, ended: Promise.resolve() };
    this.running.set(id, lane);
    lane.ended = this.runLane(sourceId, id).then(() => {
      this.running.delete(id);
      if (lane.again) this.startLane(sourceId, id);
    });
  }

  private async runLane(sourceId: string, id: string): Promise<void> {
    const run = await this.delivery
      .runLane({ id, sourceId }, this.stopping.signal)
      .catch(() => undefined);
    if (run?.reason === 'yielded') this.wake(sourceId);
    if (run?.reason === 'busy') setTimeout(() => this.wake(sourceId), BUSY_RETRY_MS);
    if (run?.reason === 'waiting') {
      setTimeout(() => this.wake(sourceId), Math.max(0, run.retryAt.getTime() - Date.now()) + 5);
    }
  }
}
