/** The stores fail without closing a connection, or refuse, under load on every service. */
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { type AllServices } from './all-services.js';
import { type OutageRun, openOutageRun, UNTOUCHED_MS_MAX } from './outage-run.js';

/** Longer than the limit of 17 s for an answer of PostgreSQL. */
const FROZEN_MS = 20_000;
/** Requests that a frozen PostgreSQL keeps until its limit. */
const SILENT_MS_MAX = FROZEN_MS;
/** Connections that the test opens at once, to take all of them. */
const GRABBERS = 20;
const TEST_LIMIT_MS = 180_000;

let run: OutageRun;
let all: AllServices;
let redis: Redis;

beforeAll(async () => {
  run = await openOutageRun();
  all = run.all;
  redis = new Redis(all.redis.url);
});
afterAll(async () => {
  redis.disconnect();
  await run.close();
});

const expectOutage: OutageRun['expectOutage'] = (...outage) => run.expectOutage(...outage);

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
    const grab = async () => {
      const client = new Client({ connectionString: all.postgres.url });
      client.on('error', () => undefined);
      try {
        await client.connect();
      } catch (error) {
        if ((error as { code?: string }).code === '53300') return;
        throw error;
      }
      grabbed.push(client);
    };
    /** The services connect again at once, so what they lose is taken without a pause. */
    const begin = async () => {
      await grab();
      let hasAll = false;
      const grabAll = async () => {
        while (!hasAll) await grab();
      };
      const grabbing = Promise.all(Array.from({ length: GRABBERS }, grabAll));
      while (!hasAll) {
        const ended = await grabbed[0]?.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE application_name LIKE 'gatehouse-%'`,
        );
        hasAll = ended?.rowCount === 0;
      }
      await grabbing;
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

it('has lost and doubled nothing in all of these', () => run.verify());
