import { randomUUID } from 'node:crypto';
import { Module } from '@nestjs/common';
import { type Exchange } from '@gatehouse/kit/exchange';
import {
  createTestDatabase,
  eventually,
  type TestDatabase,
  type TestRedis,
  testRedis,
} from '@gatehouse/testing';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { loadConfig } from '@gatehouse/kit/settings';
import { ServiceConfig } from '../src/config/service.config.js';
import { createDataSource } from '../src/database/data-source.js';
import { DatabaseModule } from '../src/database/database.module.js';
import { migrate } from '../src/database/migrate.js';
import { EXCHANGE } from '../src/exchange/exchange.token.js';
import { type HealthOptions } from '../src/health/health.module.js';
import { type RunningService, startService } from '../src/http/start-service.js';
import { createLogger } from '../src/logging/logger.js';

class CreateThing1700000000000 implements MigrationInterface {
  name = 'CreateThing1700000000000';
  up = (runner: QueryRunner) =>
    runner.query('CREATE TABLE kit_test.thing (id int)') as Promise<void>;
  down = (runner: QueryRunner) => runner.query('DROP TABLE kit_test.thing') as Promise<void>;
}

const schema = {
  schema: 'kit_test',
  entities: [],
  tables: ['thing'],
  migrations: [CreateThing1700000000000],
};

let database: TestDatabase;
let service: RunningService | undefined;

const dataSource = () => createDataSource({ databaseUrl: database.url, ...schema });

beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await service?.close();
  service = undefined;
  await migrate(dataSource(), 'down');
});
afterAll(() => database.drop());

async function start(
  settings: Record<string, string> = {},
  health: Pick<HealthOptions, 'exchange'> = {},
): Promise<RunningService> {
  const config = loadConfig(ServiceConfig, {
    LOG_LEVEL: 'silent',
    DRAIN_TIME: '0',
    DATABASE_POOL_MAX: '2',
    DATABASE_URL: database.url,
    REDIS_URL: 'redis://127.0.0.1:1',
    ...settings,
  });
  const postgres = DatabaseModule.forRoot({ config, ...schema });
  @Module({ imports: health.exchange ? [] : [postgres] })
  class TestModule {}
  const checks = health.exchange ? health : { database: true };
  const definition = { name: 'kit-test', config, module: TestModule, health: checks };
  service = await startService(definition, createLogger('kit-test', 'silent'));
  return service;
}

const ask = async ({ app }: RunningService) => fetch(`${await app.getUrl()}/health/ready`);

async function answerOf(running: RunningService): Promise<unknown[]> {
  const response = await ask(running);
  return [response.status, await response.json()];
}

const OK = [200, { status: 'ok' }];
const lacking = (migrations: string) => [503, { status: 'unavailable', errors: { migrations } }];

describe('GET /health/ready', () => {
  it('is 200 exactly while the migrations are applied', async () => {
    const running = await start();
    expect(await answerOf(running)).toEqual(lacking('not applied'));
    await migrate(dataSource());
    expect(await answerOf(running)).toEqual(OK);
    await migrate(dataSource(), 'down');
    expect(await answerOf(running)).toEqual(lacking('not applied'));
    expect((await ask(running)).headers.get('retry-after')).toBe('1');
  });

  it('is 503 without one of the tables, although the migrations are recorded', async () => {
    await migrate(dataSource());
    const running = await start();
    await database.query('ALTER TABLE kit_test.thing RENAME TO lost');
    expect(await answerOf(running)).toEqual(lacking('tables missing'));
    await database.query('ALTER TABLE kit_test.lost RENAME TO thing');
    expect(await answerOf(running)).toEqual(OK);
  });

  it('is 200 while the pool of the service is full', async () => {
    await migrate(dataSource());
    const running = await start();
    const runners = [1, 2].map(() => running.app.get(DataSource).createQueryRunner());
    await Promise.all(runners.map((runner) => runner.connect()));
    const answers = await Promise.all([1, 2, 3].map(() => answerOf(running)));
    await Promise.all(runners.map((runner) => runner.release()));
    expect(answers).toEqual([OK, OK, OK]);
  });

  it('is 200 again after its connection was lost, and uses one only', async () => {
    await migrate(dataSource());
    const running = await start();
    const connections = `FROM pg_stat_activity
      WHERE application_name = 'gatehouse-kit_test-health' AND datname = current_database()`;
    await Promise.all([1, 2, 3].map(() => answerOf(running)));
    const ended = await database.query(`SELECT pg_terminate_backend(pid) ${connections}`);
    expect(ended).toHaveLength(1);
    await eventually(async () => expect(await answerOf(running)).toEqual(OK));
    expect(await database.query(`SELECT pid ${connections}`)).toHaveLength(1);
  });
});

describe('migrate', () => {
  it('runs each migration once, also when two start together, and takes them back', async () => {
    const runs = await Promise.all([migrate(dataSource()), migrate(dataSource())]);
    expect(runs.flat()).toEqual(['CreateThing1700000000000']);
    expect(await migrate(dataSource(), 'down')).toEqual(['CreateThing1700000000000']);
    expect(await migrate(dataSource(), 'down')).toEqual([]);
  });
});

describe('GET /health/ready with a Redis user who may not write the keys of a limit', () => {
  let redis: TestRedis;
  let user: string;
  beforeAll(() => {
    redis = testRedis();
    user = `counter-${randomUUID()}`;
  });
  afterAll(async () => {
    await redis.client.call('ACL', 'DELUSER', user);
    await redis.cleanup();
  });

  const permit = (...rules: string[]) =>
    redis.client.call('ACL', 'SETUSER', user, 'reset', 'on', '>secret', ...rules);

  it.each([
    ['required', 503, 'unavailable'],
    ['optional', 200, 'degraded'],
  ] as const)('names them if Redis is %s', async (need, status, text) => {
    const { namespace } = redis;
    const all = ['+@all', `~${namespace}a:*`, `~${namespace}b:*`];
    const errors = (prefix: string) => ({ redis: `no permission for ~${namespace}${prefix}` });
    await permit(...all);
    const url = Object.assign(new URL(redis.url), { username: user, password: 'secret' });
    const running = await start(
      { REDIS_URL: url.href, REDIS_NAMESPACE: namespace },
      { exchange: need },
    );
    const { counters } = running.app.get<Exchange>(EXCHANGE);
    const [, second] = ['a:', 'b:'].map((prefix) => counters.windows(prefix, 'open'));
    await eventually(async () => expect(await answerOf(running)).toEqual(OK));
    await permit(...all.slice(0, 2));
    await eventually(async () => {
      expect(await answerOf(running)).toEqual([status, { status: text, errors: errors('b:*') }]);
    });
    expect(await second?.count(need, 1_000)).toBeUndefined();
    await permit(...all, '-incr');
    await eventually(async () => {
      const lacking = errors(`a:* ~${namespace}b:*`);
      expect(await answerOf(running)).toEqual([status, { status: text, errors: lacking }]);
    });
    await permit(...all);
    await eventually(async () => expect(await answerOf(running)).toEqual(OK));
    expect(await second?.count(need, 1_000)).toMatchObject({ count: 1n });
  });
});
