/** Every release is upgraded to this version under load, with the data that it has stored. */
import {
  type AppName,
  CONTROL_PLANE,
  createTestDatabase,
  eventually,
  runMigrations,
  type ServiceProcess,
  startService,
  startWebhookReceiver,
  type TestDatabase,
  testRedis,
} from '@gatehouse/testing';
import { buildCommit } from './commits.js';
import { type Load, SERVICES, SETTINGS, startLoad } from './load.js';
import { releases } from './releases.js';

const CLIENTS = 2;
/** Each is several requests. */
const ROUNDS = 20;
const WORKER = 'dsync-worker';

describe.each(Object.entries(releases()))('release %s', (_version, release) => {
  if ('missing' in release) {
    it.skip(`is upgraded (not run: ${release.missing})`, () => undefined);
    return;
  }

  it('is replaced under load without a failed request, a lost webhook or lost data', async () => {
    const { folder, remove } = buildCommit(release.commit);
    const redis = testRedis();
    const receiver = await startWebhookReceiver();
    const databases: Partial<Record<AppName, TestDatabase>> = {};
    const running: Partial<Record<AppName, ServiceProcess[]>> = {};
    const loads: Load[] = [];
    const codes: (number | null)[] = [];
    const start = async (app: AppName, version = '') => {
      const settings = {
        DATABASE_URL: databases[app === WORKER ? 'dsync-api' : app]?.url ?? '',
        REDIS_URL: redis.url,
        REDIS_NAMESPACE: redis.namespace,
        ...CONTROL_PLANE,
        ...SETTINGS,
      };
      (running[app] ??= []).push(await startService(app, settings, version));
    };
    /** One after the other, as in a roll-out. */
    const startAll = async (version?: string) => {
      for (const { app } of SERVICES) await start(app, version);
      await start(WORKER, version);
    };
    /** The load no longer chooses a process that is about to end, as a load balancer. */
    const stopOldest = async () => {
      const oldest = Object.values(running).flatMap((processes) => processes.splice(0, 1));
      codes.push(...(await Promise.all(oldest.map((process) => process.stop()))));
    };
    const migrateAll = (version?: string) =>
      Promise.all(
        SERVICES.map(({ app }) => runMigrations(app, databases[app]?.url ?? '', version)),
      );
    const more = async () => {
      const goals = loads.map(({ rounds }) => rounds + ROUNDS);
      const reached = () => loads.map(({ rounds }, index) => rounds >= (goals[index] ?? 0));
      await eventually(() => expect(reached()).not.toContain(false), {
        timeoutMs: 60_000,
        progress: () => loads.map(({ rounds }) => rounds).join(),
      });
    };
    try {
      for (const { app } of SERVICES) databases[app] = await createTestDatabase();
      await migrateAll(folder);
      await startAll(folder);
      for (const { app, prepare } of SERVICES) {
        const options = { clients: CLIENTS, webhookUrl: receiver.url };
        loads.push(await startLoad(prepare, running[app] ?? [], options));
      }
      await more();
      await migrateAll();
      await more();
      await startAll();
      await more();
      await stopOldest();
      await more();
      await Promise.all(loads.map((load) => load.stop()));
      for (const load of loads) await load.readBack();
      const webhooks = loads.reduce((sum, load) => sum + load.webhooks(), 0);
      await receiver.waitFor((received) => {
        const ids = new Set(received.map(({ headers }) => headers['webhook-id']));
        return ids.size >= webhooks;
      }, 60_000);
    } finally {
      await Promise.all(loads.map((load) => load.stop()));
      await stopOldest();
      await stopOldest();
      await receiver.close();
      await redis.cleanup();
      for (const database of Object.values(databases)) await database.drop();
      remove();
    }
    expect(loads.map(({ failures }) => failures)).toEqual(SERVICES.map(() => []));
    expect(new Set(codes)).toEqual(new Set([0]));
  }, 600_000);
});
