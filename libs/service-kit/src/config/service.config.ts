import { IsIn, IsNotEmpty, IsOptional, Matches, Max, Min, MinLength } from 'class-validator';
import { Env, Secret } from './load-config.js';
import { asDurationSeconds, asInteger, asList } from './setting-parsers.js';

/** The one setting that migrations need. */
export class DatabaseConfig {
  @Secret()
  @Env('DATABASE_URL')
  @Matches(/^postgres(ql)?:\/\//, { message: 'must be a postgres:// address' })
  databaseUrl = '';
}

/** Settings of every service: listen address, connections, log level. */
export class ServiceConfig extends DatabaseConfig {
  @Env('HOST')
  @IsNotEmpty()
  host = '127.0.0.1';

  @Env('PORT', asInteger)
  @Min(0)
  @Max(65_535)
  port = 0;

  @Env('METRICS_PORT', asInteger)
  @Min(0)
  @Max(65_535)
  metricsPort = 0;

  @Env('LOG_LEVEL')
  @IsIn(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
  logLevel = 'info';

  @Env('DATABASE_POOL_MAX', asInteger)
  @Min(1)
  @Max(200)
  databasePoolMax = 10;

  @Secret()
  @Env('REDIS_URL')
  @Matches(/^rediss?:\/\//, { message: 'must be a redis:// or rediss:// address' })
  redisUrl = '';

  /** Prefix of all keys, channels and queues, so that several stacks can share one Redis. */
  @Env('REDIS_NAMESPACE')
  @Matches(/^[A-Za-z0-9._-]*$/, { message: 'may hold letters, digits, dot, dash and underscore' })
  redisNamespace = '';

  @Env('SHUTDOWN_TIMEOUT', asDurationSeconds)
  @Min(1)
  @Max(600)
  shutdownTimeoutSeconds = 10;
}

/** Settings of a service with an admin surface; see docs/architecture.md, "Who may call". */
export class AdminServiceConfig extends ServiceConfig {
  @Secret()
  @Env('ADMIN_API_KEYS', asList)
  @Matches(/^[\x21-\x7e]*$/, {
    each: true,
    message: 'each key must be visible ASCII, or no header could carry it',
  })
  @MinLength(24, { each: true, message: 'each key must have at least 24 characters' })
  adminApiKeys: string[] = [];

  @Env('ADMIN_AUTH')
  @IsOptional()
  @IsIn(['none'])
  adminAuth?: 'none';
}
