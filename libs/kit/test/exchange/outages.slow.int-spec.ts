/**
 * Jobs come to a process that works when another one dies, and again when the store was away. Jest fails a
 * test during which an error is unhandled.
 */
import { randomUUID } from 'node:crypto';
import { createTestDatabase, eventually, tcpProxy, type TcpProxy } from '@gatehouse/testing';
import {
  type Exchange,
  LocalExchanges,
  migrateQueues,
  type QueueReceiver,
} from '../../src/exchange/index.js';
import { type ExchangeProcess, type ExchangeStore, STORES } from './exchange-stores.js';

interface Job {
  readonly n: number;
}

/** A dead worker is noticed after 15 seconds, and a worker tries a store that is away every few. */
const PATIENT = { timeoutMs: 60_000 };

const nothing = () => Promise.resolve();

describe.each(STORES)('%s', (kind, openStore) => {
  let store: ExchangeStore;
  let way: TcpProxy;
  let near: Exchange;
  let farProcess: ExchangeProcess;
  let far: Exchange;
  let name: string;
  let receivers: QueueReceiver[];

  beforeEach(async () => {
    store = await openStore();
    way = await tcpProxy(store.url);
    near = await store.start().open();
    farProcess = store.start(way.url);
    far = await farProcess.open();
    name = `queue-${randomUUID()}`;
    receivers = [];
  });
  afterEach(async () => {
    await Promise.all(receivers.map((receiver) => receiver.close(nothing)));
    await store.close();
    await way.close();
  });

  const receive = async ({ queues }: Exchange, work: (job: Job) => Promise<void>) => {
    receivers.push(await queues.receive(name, work, 1));
  };

  it('jobs of a process that dies are done by another', async () => {
    const queue = await near.queues.open(name);
    const begun: number[] = [];
    const done: number[] = [];
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await receive(far, ({ n }) => {
      begun.push(n);
      return held;
    });
    await queue.add('job', { n: 1 });
    await eventually(() => expect(begun).toEqual([1]));
    await way.cut();
    await receive(near, ({ n }) => Promise.resolve(void done.push(n)));
    await queue.add('job', { n: 2 });
    await eventually(() => expect(done.toSorted()).toEqual([1, 2]), PATIENT);
    release();
  });

  it('a receiver that waits gets jobs again when the store was away', async () => {
    const queue = await near.queues.open(name);
    const done: number[] = [];
    await receive(far, ({ n }) => Promise.resolve(void done.push(n)));
    await queue.add('job', { n: 0 });
    await eventually(() => expect(done).toEqual([0]));
    await way.cut();
    await queue.add('job', { n: 1 });
    await way.mend();
    await eventually(() => expect(done).toEqual([0, 1]), PATIENT);
    await queue.add('job', { n: 2 });
    await eventually(() => expect(done).toEqual([0, 1, 2]), PATIENT);
  });

  it('a receiver that starts while the store is away fails at once, or gets jobs afterwards', async () => {
    const queue = await near.queues.open(name);
    const done: number[] = [];
    const start = () => receive(far, ({ n }) => Promise.resolve(void done.push(n)));
    await way.cut();
    const isStarted = await start().then(
      () => true,
      () => false,
    );
    expect(isStarted).toBe(kind === 'Redis');
    await way.mend();
    if (!isStarted) await start();
    await queue.add('job', { n: 1 });
    await eventually(() => expect(done).toEqual([1]), PATIENT);
  });

  it('a job cannot be added while the store is silent, and can be afterwards', async () => {
    const queue = await far.queues.open(name);
    const done: number[] = [];
    await receive(near, ({ n }) => Promise.resolve(void done.push(n)));
    await queue.add('job', { n: 1 });
    await eventually(() => expect(done).toEqual([1]));
    way.silence();
    await expect(queue.add('job', { n: 2 })).rejects.toThrow();
    await way.cut();
    await way.mend();
    await eventually(() => queue.add('job', { n: 3 }), PATIENT);
    await eventually(() => expect(done).toContain(3));
  });

  it('a process that loses the store can close', async () => {
    const queue = await far.queues.open(name);
    await queue.add('job', { n: 1 });
    const done: number[] = [];
    await receive(far, ({ n }) => Promise.resolve(void done.push(n)));
    await eventually(() => expect(done).toEqual([1]));
    await way.cut();
    await Promise.all(receivers.splice(0).map((receiver) => receiver.close(nothing)));
    await far.close();
    await farProcess.close();
  });
});

it('PostgreSQL may end all connections of a process, and all queues work again', async () => {
  const database = await createTestDatabase();
  await migrateQueues(database.url);
  const exchanges = new LocalExchanges(database.url);
  const { queues } = exchanges.of('tests');
  const names = ['one', 'two'];
  const done: string[] = [];
  const receivers = await Promise.all(
    names.map((name) =>
      queues.receive(name, ({ n }: Job) => Promise.resolve(void done.push(`${name} ${n}`)), 2),
    ),
  );
  const add = async (n: number) => {
    for (const name of names) await (await queues.open(name)).add('job', { n });
  };
  const doneOf = (n: number) => names.map((name) => `${name} ${n}`);
  try {
    await add(0);
    await eventually(() => expect(done.toSorted()).toEqual(doneOf(0)));
    for (const n of [1, 2, 3]) {
      await database.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      );
      await eventually(() => add(n), PATIENT);
      await eventually(() => expect(done).toEqual(expect.arrayContaining(doneOf(n))), PATIENT);
    }
  } finally {
    await Promise.all(receivers.map((receiver) => receiver.close(nothing)));
    await exchanges.close();
    await database.drop();
  }
});
