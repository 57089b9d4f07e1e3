import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import {
  HealthIndicatorService,
  type HealthIndicatorFunction,
  type HealthIndicatorResult,
  TerminusModule,
} from '@nestjs/terminus';
import { DatabaseProbe } from '../database/database-probe.js';
import { type Exchange, type StoreProbe } from '@gatehouse/kit/exchange';
import { EXCHANGE } from '../exchange/exchange.token.js';
import { HEALTH_CHECKS, HealthController } from './health.controller.js';
import { Shutdown } from './shutdown.js';

export interface HealthOptions {
  database?: boolean;
  /** Whether the service is not ready without the stores of its exchange, or ready and reported as degraded. */
  exchange?: 'required' | 'optional';
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
    inject: [HealthIndicatorService, EXCHANGE, ...(options.database ? [DatabaseProbe] : [])],
    useFactory: (
      indicators: HealthIndicatorService,
      { probes }: Exchange,
      database?: DatabaseProbe,
    ) => {
      const checks: HealthIndicatorFunction[] = [];
      if (database) {
        checks.push(() => attempted(indicators, 'database', () => database.lack()));
        checks.push(migrationsCheck(indicators, database));
      }
      if (options.exchange) {
        const isRequired = options.exchange === 'required';
        for (const probe of probes) checks.push(storeCheck(indicators, probe, isRequired));
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

function storeCheck(
  indicators: HealthIndicatorService,
  probe: StoreProbe,
  isRequired: boolean,
): HealthIndicatorFunction {
  return async () => {
    const indicator = indicators.check(probe.name);
    let found: string | undefined;
    const answered = await attempted(indicators, probe.name, async () => {
      found = await probe.lack();
    });
    const isUp = answered[probe.name]?.status === 'up';
    if (isUp && found === undefined) return answered;
    const lack = (isUp && found) || 'not reachable';
    return isRequired ? indicator.down({ lack }) : indicator.degraded({ lack });
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
