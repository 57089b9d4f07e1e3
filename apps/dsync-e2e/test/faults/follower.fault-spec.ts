/**
 * Three applications mirror directories with the client. Their processes are killed again and again, as are
 * the API, the worker and Redis, while users and groups change.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createTestDatabase,
  eventually,
  freePort,
  orClose,
  type TestDatabase,
  type TestStack,
} from '@gatehouse/testing';
import { API_KEY, newDirectory, openSyncStack, type Service } from '../sync-stack.js';
import { FollowerProcess } from './follower-process.js';
import { ownRedis } from './own-stores.js';
import { changeAtRandom } from './random-changes.js';

const PRODUCT = 'mirrored';
const SECRET = 'a-secret-of-the-followers-0123456789';
const ROUNDS = 2;
/** Events before the snapshots. */
const PREFILLED = 40;
/** Events that each application handles between two kills. */
const HANDLED = 5;

/** A row for each user, group and membership. */
const DIRECTORIES = `SELECT key, value FROM (
    SELECT id::text, concat(email, ' ', active::text) FROM dsync.users
    UNION ALL SELECT id::text, display_name FROM dsync.groups
    UNION ALL SELECT concat(group_id, ' ', user_id), '' FROM dsync.group_members
  ) AS directories (key, value) ORDER BY key COLLATE "C"`;
const MIRROR = 'SELECT key, value FROM mirror ORDER BY key COLLATE "C"';
/** Without notices for operators. */
const LOG = `SELECT id FROM dsync.events WHERE type ~ '^(user|group)' ORDER BY sequence`;
/** The events of the log that an application has handled. */
const LEDGER = 'SELECT id FROM ledger ORDER BY n';

const idsOf = async (database: TestDatabase, query: string) =>
  (await database.query<{ id: string }>(query)).map(({ id }) => id);

interface Application {
  readonly database: TestDatabase;
  readonly processes: readonly FollowerProcess[];
}

const closers: (() => unknown)[] = [];
const close = async () => {
  for (const each of closers.splice(0).reverse()) await each();
};
let stack: TestStack;
let applications: Record<'shared' | 'logOnly' | 'filed', Application>;

beforeAll(() =>
  orClose(close, async () => {
    const redis = await ownRedis();
    closers.push(() => redis.remove());
    stack = await openSyncStack({
      settings: {
        REDIS_URL: redis.url,
        DSYNC_SWEEP_INTERVAL: '1',
        DSYNC_WEBHOOK_RETRY_SCHEDULE: Array.from({ length: 50 }, () => '1').join(),
      },
    });
    closers.push(() => stack.close());
    const [api, crashApi] = await killable('dsync-api');
    const [, crashWorker] = await killable('dsync-worker');
    const crashRedis = async () => {
      await redis.crash();
      await redis.restart();
    };

    const hooks = [await freePort(), await freePort()];
    const end = await startChanges(api, hooks);
    applications = await startApplications(api, hooks);
    const followers = Object.values(applications).flatMap(({ processes }) => processes);
    const crashFollowers = followers.map((follower) => () => follower.crash());
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const crashService of [crashApi, crashWorker, crashRedis]) {
        for (const crash of [...crashFollowers, crashService]) {
          await untilHandled(HANDLED);
          await crash();
        }
      }
    }
    await end();
    const last = (await idsOf(stack.database, LOG)).at(-1);
    for (const { database } of Object.values(applications)) {
      await eventually(async () => expect((await idsOf(database, LEDGER)).at(-1)).toBe(last), {
        timeoutMs: 30_000,
      });
    }
    for (const follower of followers) expect(await follower.stop()).toBe(0);
  }),
);
afterAll(close);

/** Starts a service on a port that it keeps. @returns it, and what kills it and starts it again */
async function killable(
  app: 'dsync-api' | 'dsync-worker',
): Promise<[Service, () => Promise<void>]> {
  const settings = { PORT: String(await freePort()) };
  const service = await stack.start(app, settings);
  let running = service;
  const crash = async () => {
    await running.kill();
    running = await stack.start(app, settings);
  };
  return [service, crash];
}

/** Changes a directory for each webhook. @returns what ends the changes */
async function startChanges(
  api: Service,
  hooks: readonly number[],
): Promise<() => Promise<unknown>> {
  let isOver = false;
  const changes = hooks.map(async (hook) => {
    const webhook_url = `http://127.0.0.1:${hook}`;
    const webhook = { webhook_url, webhook_secret: SECRET };
    const directory = await newDirectory(api, { product: PRODUCT, ...webhook });
    await changeAtRandom(directory, () => isOver);
  });
  const end = () => {
    isOver = true;
    return Promise.all(changes);
  };
  closers.push(end);
  await eventually(async () =>
    expect((await idsOf(stack.database, LOG)).length).toBeGreaterThan(PREFILLED),
  );
  return end;
}

async function startApplications(
  { url }: Service,
  hooks: readonly number[],
): Promise<typeof applications> {
  const folder = mkdtempSync(join(tmpdir(), 'followers-'));
  closers.push(() => rmSync(folder, { recursive: true }));
  const start = async (ports: readonly number[], more: Record<string, string> = {}) => {
    const database = await createTestDatabase();
    closers.push(() => database.drop());
    await database.query('CREATE TABLE mirror (key text PRIMARY KEY, value text)');
    await database.query('CREATE TABLE ledger (n bigserial PRIMARY KEY, id text)');
    const connection = { DATABASE_URL: database.url, GATEHOUSE_URL: url, GATEHOUSE_KEY: API_KEY };
    const common = { ...connection, PRODUCT, SECRET, ...more };
    const processes = ports.map((port) => new FollowerProcess({ ...common, PORT: String(port) }));
    closers.push(() => processes.forEach((process) => process.remove()));
    return { database, processes };
  };
  return {
    shared: await start(hooks),
    // No webhook wakes these.
    logOnly: await start([0]),
    filed: await start([0], { POSITION_FILE: join(folder, 'position.json') }),
  };
}

async function untilHandled(events: number): Promise<void> {
  for (const { database } of Object.values(applications)) {
    const { length } = await idsOf(database, LEDGER);
    await eventually(
      async () =>
        expect((await idsOf(database, LEDGER)).length).toBeGreaterThanOrEqual(length + events),
      { timeoutMs: 30_000 },
    );
  }
}

const NAMES = ['shared', 'logOnly', 'filed'] as const;

it.each(NAMES)('the mirror of %s equals the directories', async (name) => {
  const mirror = await applications[name].database.query(MIRROR);
  expect(mirror).toEqual(await stack.database.query(DIRECTORIES));
  expect(mirror.length).toBeGreaterThan(PREFILLED);
});

it.each(['shared', 'logOnly'] as const)(
  '%s has handled each event after its snapshot once and in order',
  async (name) => {
    const ledger = await idsOf(applications[name].database, LEDGER);
    expect(ledger).toEqual((await idsOf(stack.database, LOG)).slice(-ledger.length));
  },
);

it('with a file, a kill repeats at most the event that was being handled', async () => {
  const { database, processes } = applications.filed;
  const ledger = await idsOf(database, LEDGER);
  const once = ledger.filter((id, index) => id !== ledger[index - 1]);
  expect(once).toEqual((await idsOf(stack.database, LOG)).slice(-once.length));
  const kills = processes.reduce((sum, process) => sum + process.kills, 0);
  expect(ledger.length - once.length).toBeLessThanOrEqual(kills);
});
