/** The version before, while the migrations of this one run and on the tables that they leave. */
import {
  CONTROL_PLANE,
  createTestDatabase,
  eventually,
  runMigrations,
  type ServiceProcess,
  startService,
  testRedis,
} from '@gatehouse/testing';
import { buildCommit } from './commits.js';
import { type Load, SERVICES, SETTINGS, startLoad } from './load.js';
import { versionBefore } from './version-before.js';

const CLIENTS = 4;
/** Each is several requests. */
const ROUNDS = 50;

const MIGRATIONS = {
  'key-service': 'apps/key-service/src/migrations',
  'dsync-api': 'libs/directory-sync/src/migrations',
  'identity-forms': 'apps/identity-forms/src/migrations',
};

describe.each(SERVICES)('$app of the version before', ({ app, schema, prepare }) => {
  const before = versionBefore(MIGRATIONS[app]);
  if ('missing' in before) {
    it.skip(`works on the tables of this one (not run: ${before.missing})`, () => undefined);
    return;
  }

  it('answers every request while the tables change, and starts on the new ones', async () => {
    const { folder, remove } = buildCommit(before.commit);
    const [database, redis] = [await createTestDatabase(), testRedis()];
    const services: ServiceProcess[] = [];
    const start = async () => {
      const settings = {
        DATABASE_URL: database.url,
        REDIS_URL: redis.url,
        REDIS_NAMESPACE: redis.namespace,
        ...CONTROL_PLANE,
        ...SETTINGS,
      };
      services.push(await startService(app, settings, folder));
    };
    const applied = async () => {
      const rows = await database.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM ${schema}.migrations`,
      );
      return rows[0]?.count ?? 0;
    };
    let load: Load | undefined;
    const more = () => {
      const goal = (load?.rounds ?? 0) + ROUNDS;
      return eventually(() => expect(load?.rounds).toBeGreaterThan(goal), { timeoutMs: 60_000 });
    };
    try {
      await runMigrations(app, database.url, folder);
      const olds = await applied();
      await start();
      load = await startLoad(prepare, services, { clients: CLIENTS });
      await more();
      await runMigrations(app, database.url);
      expect(await applied()).toBeGreaterThan(olds);
      await more();
      await start();
      await more();
    } finally {
      await load?.stop();
      await Promise.all(services.map((service) => service.stop()));
      await redis.cleanup();
      await database.drop();
      remove();
    }
    expect(load.failures).toEqual([]);
  }, 240_000);
});
