import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import {
  HealthIndicatorService,
  type HealthIndicatorFunction,
  type HealthIndicatorResult,
  TerminusModule,
} from '@nestjs/terminus';
import { DatabaseProbe } from '../database/database-probe.js';
import { type RedisClient, refusedKeys } from '@gatehouse/kit/redis';
import { REDIS } from '../redis/redis.module.js';
import { HEALTH_CHECKS, HealthController } from './health.controller.js';
import { Shutdown } from './shutdown.js';

export interface HealthOptions {
  database?: boolean;
  /** `required`: not ready without Redis. `optional`: ready without Redis, but reported as degraded. */
  redis?: 'required' | 'optional';
}

const CHECK_TIMEOUT_MS = 2_000;

/** `GET /health/alive` (the process runs) and `GET /health/ready` (it can serve requests). */
@Module({})
export class HealthModule {
  static forRoot(options: HealthOptions): DynamicModule {
    return {
      module: HealthModule,
      global: true,
      imports: [TerminusModule.forRoot({ logger: false })],
      controllers: [HealthController],
      providers: [Shutdown, healthChecks(options)],
      exports: [Shutdown],
    };
  }
}

function healthChecks(options: HealthOptions): Provider {
  return {
    provide: HEALTH_CHECKS,
    inject: [
      HealthIndicatorService,
      ...(options.database ? [DatabaseProbe] : []),
      ...(options.redis ? [REDIS] : []),
    ],
    useFactory: (indicators: HealthIndicatorService, ...connections: unknown[]) => {
      const checks: HealthIndicatorFunction[] = [];
      if (options.database) {
        const database = connections.shift() as DatabaseProbe;
        checks.push(() => attempted(indicators, 'database', () => database.lack()));
        checks.push(migrationsCheck(indicators, database));
      }
      if (options.redis) {
        const redis = connections.shift() as RedisClient;
        const required = options.redis === 'required';
        checks.push(redisCheck(indicators, redis, required));
      }
      return checks;
    },
  };
}

/**
 * Not ready without the tables: a pod may start before its migrations, and tables may disappear when
 * migrations are reverted, an older backup is restored or they are dropped by hand.
 */
function migrationsCheck(
  indicators: HealthIndicatorService,
  database: DatabaseProbe,
): HealthIndicatorFunction {
  return async () => {
    const migrations = indicators.check('migrations');
    // The database check reports a failed question.
    const lack = await database.lack().catch(() => undefined);
    if (lack === undefined) return migrations.up();
    return migrations.down({ lack: lack === 'tables' ? 'tables missing' : 'not applied' });
  };
}

/** A user without the keys of a limit is as bad as no Redis: the limit does not count. */
function redisCheck(
  indicators: HealthIndicatorService,
  redis: RedisClient,
  required: boolean,
): HealthIndicatorFunction {
  return async () => {
    const indicator = indicators.check('redis');
    const answered = await attempted(indicators, 'redis', () => redis.ping());
    const isUp = answered.redis?.status === 'up';
    const refused = isUp ? await refusedKeys(redis) : [];
    if (isUp && refused.length === 0) return answered;
    const lack = isUp ? `no permission for ~${refused.join('* ~')}*` : 'not reachable';
    return required ? indicator.down({ lack }) : indicator.degraded({ lack });
  };
}

async function attempted(
  indicators: HealthIndicatorService,
  name: string,
  probe: () => Promise<unknown>,
): Promise<HealthIndicatorResult> {
  const attempt = indicators.check(name).attempt(async () => void (await probe()));
  const result = await attempt.withTimeout(CHECK_TIMEOUT_MS);
  return result;
}
