/** Load on every service while a store fails, and what of it is served. */
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@gatehouse/testing';
import { type Service } from '../sync-stack.js';
import { type AllServices, type KindName, openAllServices } from './all-services.js';
import { unrecordedMax } from './fault-stack.js';
import { SERVED, startWatch } from './watch.js';

const OUTAGE_MS = 8_000;
/** For the requests that an outage must not touch; more than they take on a busy machine. */
export const UNTOUCHED_MS_MAX = 3_000;
const RECOVERY_MS = 15_000;
/** Until the events of an outage have arrived, while the providers go on. */
const ARRIVAL_MS = 30_000;
/** Keeps the providers slower than the worker, also on a slow machine. */
const PROVIDER_PAUSE_MS = 25;

export interface ExpectedOutage {
  /** Kinds of requests that may be refused with 503 too, after this time at most. */
  refused?: Partial<Record<KindName, number>>;
  forMs?: number;
}

export interface OutageRun {
  all: AllServices;
  worker: Service;
  /**
   * Every request is served during an outage, or refused with 503 where that is expected; soon after its
   * end, every request is served again, and the events of the time before it have arrived.
   */
  expectOutage(begin: () => unknown, end: () => unknown, expected?: ExpectedOutage): Promise<void>;
  /** Ends the load; nothing is lost and little is repeated. */
  verify(): Promise<void>;
  close(): Promise<void>;
}

/** @param isPooled puts PgBouncer between the services and PostgreSQL */
export async function openOutageRun(isPooled = false): Promise<OutageRun> {
  const all = await openAllServices(isPooled);
  const directories = await all.faults.newDirectories(2);
  const worker = await all.faults.worker();
  let isOver = false;
  const provisioning = Promise.all(
    directories.map((each) => each.provision(Infinity, () => isOver, PROVIDER_PAUSE_MS)),
  );
  const watch = startWatch(all.kinds);
  const endLoad = async () => {
    isOver = true;
    await provisioning;
  };

  const expectOutage: OutageRun['expectOutage'] = async (
    begin,
    end,
    { refused = {}, forMs = OUTAGE_MS } = {},
  ) => {
    await watch.untilServed(RECOVERY_MS);
    const before = directories.map(({ changes }) => changes.length);
    const report = await watch.during(async () => {
      await begin();
      await sleep(forMs);
      await end();
      await watch.untilServed(RECOVERY_MS);
    });
    const wrong = Object.entries(report).flatMap(([kind, { outcomes, slowestMs }]) => {
      const refusedMs = refused[kind as KindName];
      const known = refusedMs === undefined ? [SERVED] : [SERVED, '503'];
      const isWrong =
        !outcomes[SERVED] ||
        Object.keys(outcomes).some((outcome) => !known.includes(outcome)) ||
        slowestMs > (refusedMs ?? UNTOUCHED_MS_MAX);
      return isWrong ? [{ kind, outcomes, slowestMs }] : [];
    });
    expect(wrong).toEqual([]);
    for (const [index, directory] of directories.entries()) {
      const arrived = () =>
        all.faults.receiver.received.filter(({ path }) => path === directory.hook).length;
      await eventually(() => expect(arrived()).toBeGreaterThanOrEqual(before[index] ?? 0), {
        timeoutMs: ARRIVAL_MS,
      });
    }
  };

  return {
    all,
    worker,
    expectOutage,
    verify: async () => {
      await endLoad();
      await all.faults.untilDelivered(directories);
      await all.faults.verify(directories, { repeatsMax: await unrecordedMax(worker) });
    },
    close: async () => {
      await endLoad();
      await watch.end();
      await all.close();
    },
  };
}
