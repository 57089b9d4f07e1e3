/** The settings of the small layout: those of all services, from one environment. */
import {
  ConfigError,
  Env,
  asBoolean,
  asInteger,
  loadConfig,
  RedisConfig,
} from '@gatehouse/kit/settings';
import { AdminConfig, ClientsConfig } from '@gatehouse/nest-kit/admin';
import { ServiceConfig } from '@gatehouse/nest-kit/config';
import { Max, Min, ValidateIf } from 'class-validator';
import { ConsoleConfig } from '../../console/src/config.js';
import { DsyncApiConfig } from '../../dsync-api/src/config.js';
import { DsyncWorkerConfig } from '../../dsync-worker/src/config.js';
import { IdentityFormsConfig } from '../../identity-forms/src/config.js';
import { KeyServiceConfig } from '../../key-service/src/config.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Without REDIS_URL, there is no Redis. */
class OptionalRedisConfig extends RedisConfig {
  @ValidateIf(({ url }: RedisConfig) => url !== '')
  override url = '';
}

/** The first start issues a key, so local callers need one too. */
class ClosedAdminConfig extends AdminConfig {
  override get mode(): 'none' | 'closed' {
    return this.auth === 'none' ? 'none' : 'closed';
  }
}

/** Settings of the process, and what all services in it share. */
export class GatehouseConfig extends ServiceConfig {
  override port = 8080;

  @Env('ADMIN_PORT', 'Port of the admin surface; keep it off the internet', asInteger)
  @Min(0)
  @Max(65_535)
  adminPort = 8089;

  override metricsPort = 9080;

  @Env(
    'CONSOLE',
    'Whether `/console` of the admin surface serves the [console](docs/console.md); `off` leaves it out',
    asBoolean,
  )
  hasConsole = true;

  override readonly redis: RedisConfig = new OptionalRedisConfig();
  readonly clients = new ClientsConfig();

  /** Whether no other process shares messages, counters and queues with this one. */
  get isAlone(): boolean {
    return this.redis.url === '';
  }
}

class SmallKeyServiceConfig extends KeyServiceConfig {
  override readonly redis: RedisConfig = new OptionalRedisConfig();
  override readonly admin = new ClosedAdminConfig();
}

class SmallDsyncApiConfig extends DsyncApiConfig {
  override readonly redis: RedisConfig = new OptionalRedisConfig();
}

class SmallDsyncWorkerConfig extends DsyncWorkerConfig {
  override readonly redis: RedisConfig = new OptionalRedisConfig();
}

class SmallIdentityFormsConfig extends IdentityFormsConfig {
  override readonly redis: RedisConfig = new OptionalRedisConfig();
  override readonly admin = new ClosedAdminConfig();
}

class SmallConsoleConfig extends ConsoleConfig {
  override readonly redis: RedisConfig = new OptionalRedisConfig();

  // It is that of this process, whatever the setting says, which may be there for the command line.
  @ValidateIf(() => false)
  override gatehouseUrl = '';
}

/** The settings of the process and of each service. */
export interface Configs {
  readonly gatehouse: GatehouseConfig;
  readonly keyService: KeyServiceConfig;
  readonly dsyncApi: DsyncApiConfig;
  readonly dsyncWorker: DsyncWorkerConfig;
  readonly identityForms: IdentityFormsConfig;
  /** Unless it is left out. */
  readonly console?: ConsoleConfig;
}

/**
 * Names that mean something else in the environment of a service: the first of the others that is set takes
 * their place.
 */
const KEY_SERVICE_NAMES = { ENCRYPTION_KEYS: ['KEYS_ENCRYPTION_KEYS'] };
const DSYNC_API_NAMES = { API_KEYS: ['API_KEYS', 'ADMIN_API_KEYS'] };
const DSYNC_WORKER_NAMES = {
  KEYS_DATABASE_URL: ['DATABASE_URL'],
  FORMS_DATABASE_URL: ['DATABASE_URL'],
};
const IDENTITY_FORMS_NAMES = {
  ENCRYPTION_KEYS: ['FORMS_ENCRYPTION_KEYS'],
  PUBLIC_URL: ['PUBLIC_URL', 'EXTERNAL_URL'],
};

/**
 * Reads the settings of all services.
 *
 * @throws ConfigError with every fault of all of them
 */
export function loadConfigs(environment: Environment = process.env): Configs {
  const faults = new Set<string>();
  const whole = defaulted(environment);
  const read = <T extends object>(Config: new () => T, names: Names = {}): T => {
    try {
      return loadConfig(Config, renamed(whole, names));
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      for (const fault of error.faults) faults.add(inOwnNames(fault, whole, names));
      return new Config();
    }
  };
  const gatehouse = read(GatehouseConfig);
  const configs: Configs = {
    gatehouse,
    keyService: read(SmallKeyServiceConfig, KEY_SERVICE_NAMES),
    dsyncApi: read(SmallDsyncApiConfig, DSYNC_API_NAMES),
    dsyncWorker: read(SmallDsyncWorkerConfig, DSYNC_WORKER_NAMES),
    identityForms: read(SmallIdentityFormsConfig, IDENTITY_FORMS_NAMES),
    console: gatehouse.hasConsole ? read(SmallConsoleConfig) : undefined,
  };
  if (faults.size > 0) throw new ConfigError([...faults]);
  return configs;
}

type Names = Readonly<Record<string, readonly string[]>>;

/** Without EXTERNAL_URL, the address at which this machine reaches the public surface. */
function defaulted(environment: Environment): Environment {
  if (isSet(environment, 'EXTERNAL_URL')) return environment;
  return { ...environment, EXTERNAL_URL: `http://127.0.0.1:${environment.PORT || 8080}` };
}

function renamed(environment: Environment, names: Names): Environment {
  const result: Record<string, string | undefined> = { ...environment };
  for (const [name, sources] of Object.entries(names)) {
    const source = sourceOf(environment, sources);
    result[name] = environment[source];
    result[`${name}_FILE`] = environment[`${source}_FILE`];
  }
  return result;
}

/** A fault begins with the name of its setting. */
function inOwnNames(fault: string, environment: Environment, names: Names): string {
  const [name = '', ...rest] = fault.split(':');
  return [sourceOf(environment, names[name] ?? [name]), ...rest].join(':');
}

/** The name that is set, or else the one to set. */
function sourceOf(environment: Environment, sources: readonly string[]): string {
  return sources.find((each) => isSet(environment, each)) ?? `${sources[0]}`;
}

function isSet(environment: Environment, name: string): boolean {
  return Boolean(environment[name] || environment[`${name}_FILE`]);
}
