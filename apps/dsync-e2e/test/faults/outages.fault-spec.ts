/** The stores fail without closing a connection, or refuse, under load on every service. */
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@gatehouse/testing';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { type AllServices, type KindName, openAllServices } from './all-services.js';
import { type FaultDirectory, unrecordedMax } from './fault-stack.js';
import { type Service } from '../sync-stack.js';
import { SERVED, startWatch, type Watch } from './watch.js';

const OUTAGE_MS = 8_000;
/** Longer than the limit of 17 s for an answer of PostgreSQL. */
const FROZEN_MS = 20_000;
/** For the requests that an outage must not touch; more than they take on a busy machine. */
const UNTOUCHED_MS_MAX = 3_000;
/** Requests that a frozen PostgreSQL keeps until its limit. */
const SILENT_MS_MAX = FROZEN_MS;
const RECOVERY_MS = 15_000;
/** Until the events of an outage have arrived, while the providers go on. */
const ARRIVAL_MS = 30_000;
/** Keeps the providers slower than the worker, also on a slow machine. */
const PROVIDER_PAUSE_MS = 25;
/** Connections that the test opens at once, to take all of them. */
const GRABBERS = 20;
const TEST_LIMIT_MS = 180_000;

let all: AllServices;
let watch: Watch;
let directories: FaultDirectory[];
let redis: Redis;
let worker: Service;
let provisioning: Promise<unknown>;
let isOver = false;

beforeAll(async () => {
  all = await openAllServices();
  redis = new Redis(all.redis.url);
  directories = await all.faults.newDirectories(2);
  worker = await all.faults.worker();
  provisioning = Promise.all(
    directories.map((each) => each.provision(Infinity, () => isOver, PROVIDER_PAUSE_MS)),
  );
  watch = startWatch(all.kinds);
});
afterAll(async () => {
  isOver = true;
  await provisioning;
  await watch.end();
  redis.disconnect();
  await all.close();
});

interface Expected {
  /** Kinds of requests that may be refused with 503 too, after this time at most. */
  refused?: Partial<Record<KindName, number>>;
  forMs?: number;
}

/**
 * Every request is served during an outage, or refused with 503 where that is expected; soon after its
 * end, every request is served again, and the events of the time before it have arrived.
 */
async function expectOutage(
  begin: () => unknown,
  end: () => unknown,
  { refused = {}, forMs = OUTAGE_MS }: Expected = {},
): Promise<void> {
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
}

async function onPostgres(work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: all.postgres.url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

it(
  'serves everything while Redis is frozen',
  () =>
    expectOutage(
      () => all.redis.freeze(),
      () => all.redis.thaw(),
      { forMs: FROZEN_MS },
    ),
  TEST_LIMIT_MS,
);

it(
  'serves everything while Redis has no memory left',
  () =>
    expectOutage(
      () => redis.config('SET', 'maxmemory', '1'),
      () => redis.config('SET', 'maxmemory', '0'),
    ),
  TEST_LIMIT_MS,
);

it(
  'serves everything while Redis is emptied again and again',
  async () => {
    let flushing: NodeJS.Timeout;
    await expectOutage(
      () => {
        flushing = setInterval(() => void redis.flushall(), 200);
      },
      () => clearInterval(flushing),
    );
  },
  TEST_LIMIT_MS,
);

it(
  'verifies from memory and decodes while PostgreSQL is frozen, and refuses the rest',
  () =>
    expectOutage(
      () => all.postgres.freeze(),
      () => all.postgres.thaw(),
      {
        forMs: FROZEN_MS,
        refused: {
          issue: SILENT_MS_MAX,
          'read users': SILENT_MS_MAX,
          'write users': SILENT_MS_MAX,
        },
      },
    ),
  TEST_LIMIT_MS,
);

it(
  'refuses nothing but changes while PostgreSQL only reads',
  () => {
    const setReadOnly = (change: string) =>
      onPostgres(async (client) => {
        await client.query('SET default_transaction_read_only = off');
        await client.query(`ALTER SYSTEM ${change}`);
        await client.query('SELECT pg_reload_conf()');
      });
    return expectOutage(
      () => setReadOnly('SET default_transaction_read_only = on'),
      () => setReadOnly('RESET default_transaction_read_only'),
      { refused: { issue: UNTOUCHED_MS_MAX, 'write users': UNTOUCHED_MS_MAX } },
    );
  },
  TEST_LIMIT_MS,
);

it(
  'verifies from memory and decodes while PostgreSQL has no connection left, and refuses the rest',
  async () => {
    const grabbed: Client[] = [];
    /** @returns whether there was a connection left */
    const grab = async () => {
      const client = new Client({ connectionString: all.postgres.url });
      client.on('error', () => undefined);
      try {
        await client.connect();
      } catch (error) {
        if ((error as { code?: string }).code === '53300') return false;
        throw error;
      }
      grabbed.push(client);
      return true;
    };
    const grabAll = async () => {
      const grabMore = async () => {
        while (await grab());
      };
      await Promise.all(Array.from({ length: GRABBERS }, grabMore));
    };
    /** The services connect again at once, so it takes some rounds. */
    const begin = async () => {
      for (let ended: unknown = 1; ended !== 0;) {
        await grabAll();
        const answer = await grabbed[0]?.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE application_name LIKE 'gatehouse-%'`,
        );
        ended = answer?.rowCount;
      }
    };
    await expectOutage(
      begin,
      async () => {
        await Promise.all(grabbed.map((client) => client.end()));
      },
      {
        refused: {
          issue: UNTOUCHED_MS_MAX,
          'read users': UNTOUCHED_MS_MAX,
          'write users': UNTOUCHED_MS_MAX,
        },
      },
    );
  },
  TEST_LIMIT_MS,
);

it('has lost and doubled nothing in all of these', async () => {
  isOver = true;
  await provisioning;
  await all.faults.untilDelivered(directories);
  await all.faults.verify(directories, { repeatsMax: await unrecordedMax(worker) });
});
