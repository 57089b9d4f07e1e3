import { getHeapStatistics } from 'node:v8';
import { ArrayNotEmpty, IsIn, IsNotEmpty, Matches, Max, Min, Validate } from 'class-validator';
import { DatabaseConfig } from '@gatehouse/kit/settings';
import { IsKeyRing } from '@gatehouse/kit/settings';
import { IsRedisUrl, IsTlsAuthority } from '@gatehouse/kit/settings';
import { Env, Secret } from '@gatehouse/kit/settings';
import { asBoolean, asDurationSeconds, asInteger, asList } from '@gatehouse/kit/settings';
import { TracingConfig } from './tracing.config.js';

/** How many bytes of the heap one byte of a request body may take, with a margin for the rest. */
const HEAP_PER_BODY_BYTE = 16;
const MEBIBYTE = 1024 * 1024;

/** Settings of the programs that run migrations. */
export class MigrationConfig extends DatabaseConfig {
  /** How long a migration waits for a lock, which makes later users of the table wait behind it. */
  @Env('MIGRATION_LOCK_TIMEOUT', asDurationSeconds)
  @Min(1)
  @Max(600)
  lockTimeoutSeconds = 5;

  /** How often a migration is tried that does not get its locks. */
  @Env('MIGRATION_TRIES', asInteger)
  @Min(1)
  @Max(1_000)
  tries = 10;
}

/** Settings of every service: listen address, connections, log level, traces. */
export class ServiceConfig extends TracingConfig {
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
  @Validate(IsRedisUrl)
  redisUrl = '';

  /** PEM certificates that Redis is verified with, instead of the authorities that Node trusts. */
  @Secret()
  @Env('REDIS_TLS_CA')
  @Validate(IsTlsAuthority)
  redisTlsCa = '';

  /** The login at the sentinels; that of the servers is a part of REDIS_URL. */
  @Env('REDIS_SENTINEL_USERNAME')
  redisSentinelUsername = '';

  @Secret()
  @Env('REDIS_SENTINEL_PASSWORD')
  redisSentinelPassword = '';

  /** Prefix of all keys, channels and queues, so that several stacks can share one Redis. */
  @Env('REDIS_NAMESPACE')
  @Matches(/^[A-Za-z0-9._-]*$/, { message: 'may hold letters, digits, dot, dash and underscore' })
  redisNamespace = '';

  @Env('WEBHOOK_ALLOW_PRIVATE', asBoolean)
  webhookAllowPrivate = false;

  /** Ports of webhooks; ignored with WEBHOOK_ALLOW_PRIVATE. */
  @Env('WEBHOOK_PORTS', (text) => asList(text).map(asInteger))
  @ArrayNotEmpty()
  @Min(1, { each: true })
  @Max(65_535, { each: true })
  webhookPorts: number[] = [80, 443];

  /** How long a request may take to arrive. */
  @Env('REQUEST_TIMEOUT', asDurationSeconds)
  @Min(1)
  @Max(600)
  requestTimeoutSeconds = 65;

  /** Mebibytes of request bodies that the process holds at once. */
  @Env('BODY_BUDGET_MB', asInteger)
  @Min(1)
  @Max(65_536)
  bodyBudgetMebibytes = Math.max(
    1,
    Math.floor(getHeapStatistics().heap_size_limit / HEAP_PER_BODY_BYTE / MEBIBYTE),
  );

  /** After SIGTERM, how long everything is still served, for load balancers to notice. */
  @Env('DRAIN_TIME', asDurationSeconds)
  @Min(0)
  @Max(600)
  drainTimeSeconds = 5;

  /** After the drain time, how long requests and jobs in flight and the stores may take. */
  @Env('SHUTDOWN_TIMEOUT', asDurationSeconds)
  @Min(1)
  @Max(600)
  shutdownTimeoutSeconds = 10;
}

/** Settings of a service that exchanges messages with others. */
export class MessagingServiceConfig extends ServiceConfig {
  /** Seals the messages between services; all of them have the same ring. */
  @Secret()
  @Env('MESSAGE_KEYS', asList)
  @Validate(IsKeyRing)
  messageKeys: string[] = [];
}
