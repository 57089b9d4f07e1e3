/** Queues and inboxes of workers: the same on Redis, and in one process on PostgreSQL. */
import { randomUUID } from 'node:crypto';
import { createTestDatabase, eventually } from '@gatehouse/testing';
import {
  type Exchange,
  LocalExchanges,
  migrateQueues,
  type QueueReceiver,
} from '../../src/exchange/index.js';
import { type ExchangeProcess, type ExchangeStore, STORES } from './exchange-stores.js';

describe.each(STORES)('%s', (_kind, openStore) => {
  let store: ExchangeStore;
  let process: ExchangeProcess;
  let exchange: Exchange;

  beforeAll(async () => {
    store = await openStore();
  });
  beforeEach(async () => {
    process = store.start();
    exchange = await process.open();
  });
  afterEach(async () => {
    await exchange.close();
    await process.close();
  });
  afterAll(() => store.close());

  describe('a queue', () => {
    let name: string;
    let work: (job: { n: number }) => Promise<void>;
    let receivers: QueueReceiver[];
    let begun: number[];
    let underway: Set<Promise<void>>;
    /** Jobs that begin from now on do not end. */
    let holdJobs: () => void;
    let endJobs: () => void;

    beforeEach(() => {
      name = `queue-${randomUUID()}`;
      [receivers, begun, underway] = [[], [], new Set()];
      let ended = Promise.resolve();
      endJobs = () => undefined;
      holdJobs = () => {
        ended = new Promise((resolve) => (endJobs = resolve));
      };
      work = async ({ n }) => {
        begun.push(n);
        const job = ended;
        underway.add(job);
        await job;
        underway.delete(job);
      };
    });
    afterEach(async () => {
      endJobs();
      await Promise.all(receivers.map((receiver) => receiver.close(done)));
      await (await exchange.queues.open(name)).obliterate({ force: true });
    });

    const done = () => Promise.all(underway);
    const receive = async (concurrency = 1, { queues } = exchange) => {
      const receiver = await queues.receive(name, work, concurrency);
      receivers.push(receiver);
      return receiver;
    };
    const close = async (receiver: QueueReceiver) => {
      receivers.splice(receivers.indexOf(receiver), 1);
      await receiver.close(done);
    };
    const add = async (...numbers: number[]) => {
      const queue = await exchange.queues.open(name);
      for (const n of numbers) await queue.add('job', { n });
    };
    /** As HintQueue adds them. */
    const wake = async (n: number) => {
      const deduplication = { id: 'a', keepLastIfActive: true };
      await (await exchange.queues.open(name)).add('job', { n }, { deduplication });
    };

    it('brings jobs to a receiver that waits, and in their order', async () => {
      await receive();
      await add(1);
      await eventually(() => expect(begun).toEqual([1]));
      await add(2, 3, 4);
      await eventually(() => expect(begun).toEqual([1, 2, 3, 4]));
    });

    it('is the same for every call', async () => {
      const opened = await Promise.all([1, 2].map(() => exchange.queues.open(name)));
      expect(opened[0]).toBe(opened[1]);
    });

    it('has one waiting job of an id, and one more while a job runs', async () => {
      holdJobs();
      for (const n of [1, 2, 3]) await wake(n);
      await receive(5);
      await eventually(() => expect(begun).toHaveLength(1));
      for (const n of [4, 5, 6]) await wake(n);
      endJobs();
      await eventually(() => expect(begun).toHaveLength(2));
      // The last of them says what is left to do.
      expect(begun[1]).toBe(6);
      await eventually(async () => {
        await wake(7);
        expect(begun).toContain(7);
      });
    });

    it('begins no more jobs than may run at once', async () => {
      holdJobs();
      await receive(2);
      await add(1, 2, 3, 4, 5);
      await eventually(() => expect(begun.toSorted()).toEqual([1, 2]));
      const queue = await exchange.queues.open(name);
      expect(await queue.getJobCounts('active', 'waiting')).toEqual({ active: 2, waiting: 3 });
      endJobs();
      await eventually(() => expect(begun.toSorted()).toEqual([1, 2, 3, 4, 5]));
    });

    it('waits for jobs under way when a receiver closes, and hands them out once', async () => {
      holdJobs();
      const receiver = await receive(2);
      await add(1, 2);
      await eventually(() => expect(begun).toHaveLength(2));
      const ends: string[] = [];
      void done().then(() => ends.push('jobs'));
      const closed = close(receiver).then(() => ends.push('receiver'));
      await add(3);
      endJobs();
      await closed;
      expect(ends).toEqual(['jobs', 'receiver']);
      expect(begun.toSorted()).toEqual([1, 2]);
      await receive(2);
      await eventually(() => expect(begun.toSorted()).toEqual([1, 2, 3]));
      await eventually(async () =>
        expect(await (await exchange.queues.open(name)).getJobCountByTypes()).toBe(0),
      );
    });

    it('keeps its jobs when the process ends', async () => {
      await add(1, 2);
      await exchange.close();
      await process.close();
      process = store.start();
      exchange = await process.open();
      await receive();
      await eventually(() => expect(begun).toEqual([1, 2]));
    });
  });

  describe('an inbox', () => {
    const [BUCKET, OTHER] = ['a.0', 'a.1'];
    let worker: string;

    beforeEach(() => {
      worker = randomUUID();
    });

    const entriesOf = (texts: readonly string[], bucket = BUCKET) =>
      texts.map((text) => ({ bucket, text }));
    const hand = (texts: readonly string[], bucket = BUCKET) =>
      exchange.queues.inboxes.hand(entriesOf(texts, bucket));
    const attend = async (by = worker) => {
      const { inboxes } = exchange.queues;
      await Promise.all([inboxes.attend(by, BUCKET, 60_000), inboxes.open(by)]);
    };

    it('takes entries of the bucket that its worker attends to, for as long as it is open', async () => {
      await exchange.queues.inboxes.open(worker);
      expect(await hand(['1'])).toEqual([false]);
      await attend();
      const entries = [...entriesOf(['2']), ...entriesOf(['3'], OTHER), ...entriesOf(['4'])];
      expect(await exchange.queues.inboxes.hand(entries)).toEqual([true, false, true]);
      await eventually(async () => expect(await hand(['5'])).toEqual([false]));
      await exchange.queues.inboxes.open(worker);
      expect(await hand(['6'])).toEqual([true]);
    });

    it('takes none once the worker attends no more', async () => {
      const { inboxes } = exchange.queues;
      await inboxes.open(worker);
      await inboxes.attend(worker, BUCKET, 200);
      await eventually(async () => {
        await inboxes.open(worker);
        expect(await hand(['1'])).toEqual([false]);
      });
    });

    it('is read in order, as many entries at once as are asked for', async () => {
      await attend();
      await hand(['1', '2', '3', '4', '5']);
      const reader = exchange.queues.inboxes.reader(worker);
      expect(await reader.read(1, 3)).toEqual(['1', '2', '3']);
      expect(await reader.read(1, 0)).toEqual(['4']);
      expect(await reader.read(1, 9)).toEqual(['5']);
      expect(await reader.read(1, 9)).toEqual([]);
      reader.close();
    });

    it('wakes a reader that waits, and a reader that closes waits no more', async () => {
      await attend();
      const reader = exchange.queues.inboxes.reader(worker);
      const read = reader.read(60, 9);
      await eventually(async () => expect(await hand(['1'])).toEqual([true]));
      expect((await read)[0]).toBe('1');
      const unread = reader.read(60, 9);
      reader.close();
      await Promise.allSettled([unread]);
    });

    it('is of another worker as soon as that one attends', async () => {
      const other = randomUUID();
      await attend();
      await hand(['1']);
      await attend(other);
      await hand(['2']);
      const { inboxes } = exchange.queues;
      expect(await inboxes.close(worker)).toEqual(['1']);
      expect(await inboxes.close(other)).toEqual(['2']);
    });

    it('returns what was not read when it closes, and takes no more', async () => {
      await attend();
      await hand(['1', '2', '3']);
      const reader = exchange.queues.inboxes.reader(worker);
      await reader.read(1, 1);
      reader.close();
      expect(await exchange.queues.inboxes.close(worker)).toEqual(['2', '3']);
      expect(await hand(['4'])).toEqual([false]);
      expect(await exchange.queues.inboxes.close(worker)).toEqual([]);
    });

    it('keeps ten thousand entries, and refuses more', async () => {
      await attend();
      const numbers = Array.from({ length: 10_001 }, (_, n) => String(n));
      const handed = await hand(numbers);
      expect(handed.slice(-2)).toEqual([true, false]);
      expect(await exchange.queues.inboxes.close(worker)).toEqual(numbers.slice(0, -1));
    });
  });
});

it('the tables of queues may be made by several processes at once, and again', async () => {
  const database = await createTestDatabase();
  try {
    await Promise.all([1, 2, 3].map(() => migrateQueues(database.url)));
    await migrateQueues(database.url);
    const exchanges = new LocalExchanges(database.url);
    const queue = await exchanges.of('tests').queues.open('queue');
    await queue.add('job', {});
    expect(await queue.getWaitingCount()).toBe(1);
    await exchanges.close();
  } finally {
    await database.drop();
  }
});
