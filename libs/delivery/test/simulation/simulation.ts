/**
 * One run of delivery in a world of a seed: writers, two workers that are killed, stopped and replaced, receivers
 * with bad weather, a follower of the log, and replays in the middle. Then the weather gets calm, and
 * everything has to arrive.
 */
import { type Scheduler } from 'fast-check';
import { setTimeout as sleep } from 'node:timers/promises';
import { Endpoints, EventLog, eventLogStatements } from '../../src/index.js';
import { Guarantees } from './guarantees.js';
import { Receivers } from './receivers.js';
import { SCHEMA, Session } from './session.js';
import { type EndpointRow, Row, Store } from './store.js';
import { type Process, simulateSeed, World } from '@gatehouse/testing/simulation';
import { Worker } from './worker.js';

const SOURCES = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b'];
const WRITERS = 3;
const STEPS_MAX = 40_000;
const ROUNDS_MAX = 60;
const ROUND_MS = 5_000;
/** A wake-up that Redis loses: the sweep finds the work later. */
const LOST_WAKE = 0.15;
const ROLLBACK = 0.15;
const LARGE = 0.1;
const POISON = 0.12;

/** @returns the faults of a seed: none if all guarantees hold */
export const simulate = (seed: number): Promise<string[]> =>
  simulateSeed(seed, (scheduler, numbers) => new Simulation(scheduler, numbers).run());

class Simulation {
  private readonly world: World;
  private readonly store: Store;
  private readonly receivers: Receivers;
  private readonly guarantees: Guarantees;
  private readonly workers: Worker[] = [];
  /** Without kills, broken connections and stalls, nothing may be repeated. */
  private readonly isGentle: boolean;
  private readonly settings;
  private isCalm = false;

  constructor(scheduler: Scheduler, numbers: IterableIterator<number>) {
    const mayStall = () => !this.isGentle && !this.isCalm;
    this.world = new World(scheduler, numbers, mayStall);
    this.isGentle = this.world.chance(0.4);
    this.settings = {
      retryScheduleSeconds: [5, 30],
      timeoutSeconds: 10,
      turnSeconds: this.world.pick(3) === 0 ? 0.001 : 20,
      eventAttempts: 2,
      batchSize: [0, 0, 2, 3][this.world.pick(4)] as number,
    };
    this.store = new Store(this.world);
    this.receivers = new Receivers(this.world, !this.isGentle);
    const { world, store, receivers } = this;
    this.guarantees = new Guarantees(world, store, receivers, this.settings.eventAttempts);
    receivers.onRequest = (endpointId, sender) => {
      const worker = this.workers.find((one) => one === sender);
      if (worker) this.guarantees.checkRequest(endpointId, worker.session);
    };
  }

  async run(): Promise<string[]> {
    const detach = this.receivers.attach();
    try {
      await this.world.run(() => this.story(), STEPS_MAX);
    } finally {
      detach();
    }
    return this.world.faults;
  }

  private async story(): Promise<void> {
    this.addEndpoints();
    this.startWorker();
    this.startWorker();
    const followers = SOURCES.map((sourceId) => this.follow(sourceId));
    const writers = SOURCES.flatMap((sourceId) =>
      Array.from({ length: WRITERS }, () => this.write(sourceId)),
    );
    await Promise.all([...writers, this.operate(), this.breakWorkers()]);
    await this.calm();
    for (let round = 0; round < ROUNDS_MAX && !this.guarantees.isSettled; round++) {
      await sleep(ROUND_MS);
    }
    this.guarantees.checkEnd(!this.isGentle);
    await Promise.all(followers);
    await Promise.all(this.workers.filter((one) => !one.isStopping).map((one) => one.stop()));
  }

  private addEndpoints(): void {
    const [first = '', second = ''] = SOURCES;
    const kinds = [
      { sourceId: first, types: null, onPoison: 'park' },
      { sourceId: first, types: ['parcel.lost'], onPoison: 'park' },
      { sourceId: second, types: null, onPoison: 'block' },
    ];
    for (const kind of kinds) {
      const health = { state: 'healthy', reason: null, failures: 0, failingSince: null };
      const lease = { leasedBy: null, leasedUntil: null, openReplays: 0, wanted: 0, refusals: 0 };
      const position = { cursor: 0, cursorAt: this.world.now, nextAttemptAt: -Infinity };
      const row: EndpointRow = {
        id: this.store.newId(),
        revision: 1,
        lastSuccessAt: null,
        ...kind,
        ...health,
        ...lease,
        ...position,
      };
      this.store.endpoints.push(new Row(row));
    }
  }

  private startWorker(): void {
    const { world, settings } = this;
    const sessionOf = (process: Process) => this.session(process);
    this.workers.push(new Worker(world, sessionOf, settings, (sourceId) => this.wake(sourceId)));
  }

  private session(process: Process): Session {
    const mayBreak = () => !this.isGentle && !this.isCalm;
    return new Session(this.world, this.store, process, mayBreak);
  }

  private wake(sourceId: string): void {
    if (this.world.chance(LOST_WAKE)) return;
    void this.world.step('wake').then(() => {
      const living = this.workers.filter((one) => !one.isStopping);
      if (living.length > 0) living[this.world.pick(living.length)]?.take(sourceId);
    });
  }

  /** A writer of events: each in a transaction that may do more, and may roll back. */
  private async write(sourceId: string): Promise<void> {
    const { world } = this;
    const { sql } = this.session({ isDead: false });
    const { insertOne } = eventLogStatements(SCHEMA);
    for (let count = world.pick(4); count >= 0; count--) {
      const work = sql.transaction(async (executor) => {
        const type = world.chance(0.5) ? 'parcel.lost' : 'parcel.sent';
        const data = JSON.stringify(world.chance(LARGE) ? { bytes: 700_000 } : {});
        const [event] = await executor.rows<{ id: string }>(insertOne, [sourceId, type, data]);
        if (event && world.chance(POISON)) {
          this.receivers.poison.set(event.id, world.chance(0.3) ? 'aborted' : 'refused');
        }
        await sleep(world.pick(world.chance(0.2) ? 3_000 : 20));
        if (world.chance(ROLLBACK)) throw new Error('rolled back');
      });
      await work.then(() => this.wake(sourceId)).catch(() => undefined);
      await sleep(world.pick(world.chance(0.3) ? 10_000 : 20));
    }
  }

  /** Reads the log as programs do that follow it. */
  private async follow(sourceId: string): Promise<void> {
    const { sql } = this.session({ isDead: false });
    const log = new EventLog(sql, SCHEMA);
    const seen: string[] = [];
    let after = '0';
    const own = () => this.store.events.filter((event) => event.sourceId === sourceId);
    while (!this.isCalm || seen.length < own().length) {
      const events = await log.list(sourceId, after, 1 + this.world.pick(5)).catch(() => []);
      for (const { id, sequence } of events) {
        seen.push(id);
        after = sequence;
      }
      const missed = own().find(
        ({ id, sequence }) => sequence <= Number(after) && !seen.includes(id),
      );
      if (missed) this.world.fault(`no gaps: a follower passed event ${missed.sequence}`);
      await sleep(this.world.pick(2_000));
    }
  }

  /** Replays, pauses and resumes. */
  private async operate(): Promise<void> {
    const { world, store } = this;
    const { sql } = this.session({ isDead: false });
    const endpoints = new Endpoints(SCHEMA);
    for (let count = world.pick(5); count > 0; count--) {
      await sleep(world.pick(15_000));
      const { id, sourceId } = store.endpoints[world.pick(3)]?.value as EndpointRow;
      const after = String(world.pick(store.sequence + 1));
      const act = [
        () =>
          endpoints.replay(sql, [sourceId], { after, until: String(store.sequence), types: null }),
        () => endpoints.pause(sql, { id, sourceId }, 'paused'),
        () => endpoints.resume(sql, { id, sourceId }),
      ][world.pick(3)];
      await act?.().catch(() => undefined);
      this.wake(sourceId);
    }
  }

  private async breakWorkers(): Promise<void> {
    const { world } = this;
    for (let count = world.pick(4); count > 0; count--) {
      await sleep(world.pick(12_000));
      const worker = this.workers.find((one) => !one.isStopping);
      if (!worker) continue;
      if (this.isGentle || world.chance(0.4)) void worker.stop();
      else worker.kill();
      await sleep(world.pick(3_000));
      this.startWorker();
    }
  }

  /** From here on, everything answers. */
  private async calm(): Promise<void> {
    this.isCalm = true;
    this.receivers.isCalm = true;
    const { sql } = this.session({ isDead: false });
    const endpoints = new Endpoints(SCHEMA);
    for (const { value } of this.store.endpoints) await endpoints.resume(sql, value);
  }
}
