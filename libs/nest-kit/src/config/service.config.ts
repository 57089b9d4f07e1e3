import { IsIn, IsNotEmpty, Max, Min, Validate } from 'class-validator';
import {
  asDurationSeconds,
  asInteger,
  asList,
  DatabaseConfig,
  Derived,
  Env,
  GATEHOUSE_SECRET,
  IsKeyRing,
  RedisConfig,
  Secret,
  WebhooksConfig,
} from '@gatehouse/kit/settings';
import { TracingConfig } from './tracing.config.js';

/** How messages between services are protected. */
export class MessagesConfig {
  @Secret()
  @Env(
    'MESSAGE_KEYS',
    'The ring that seals messages between services, the same in all of them: at least 32 characters ' +
      'each, comma-separated, the current one first',
    asList,
    Derived.MESSAGE_KEYS,
  )
  @Validate(IsKeyRing)
  keys: string[] = [];
}

/** Settings of every service: listen address, connections, log level and traces. */
export class ServiceConfig {
  @Env('HOST', 'Address to listen on')
  @IsNotEmpty()
  host = '127.0.0.1';

  @Env('PORT', 'Port to listen on; `0` takes any that is free', asInteger)
  @Min(0)
  @Max(65_535)
  port = 0;

  @Env('METRICS_PORT', 'Port of `/metrics`, on the same host', asInteger)
  @Min(0)
  @Max(65_535)
  metricsPort = 0;

  @Env('LOG_LEVEL', '[CONTRIBUTING.md](CONTRIBUTING.md) explains the levels')
  @IsIn(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
  logLevel = 'info';

  @Env(
    'DRAIN_TIME',
    'After SIGTERM, how long everything is still served, for load balancers to notice; the worker has none',
    asDurationSeconds,
  )
  @Min(0)
  @Max(600)
  drainTimeSeconds = 5;

  @Env(
    'SHUTDOWN_TIMEOUT',
    'After that, how long requests and jobs in flight and the stores may take',
    asDurationSeconds,
  )
  @Min(1)
  @Max(600)
  shutdownTimeoutSeconds = 10;

  @Secret()
  @Env(
    GATEHOUSE_SECRET,
    '[One secret](docs/operations.md#one-secret) in place of all key rings: those that are not set are derived ' +
      'from it. At least 32 characters, comma-separated, the current one first; the same in every service',
    asList,
  )
  gatehouseSecrets: string[] = [];

  readonly database = new DatabaseConfig();
  readonly redis = new RedisConfig();
  readonly webhooks = new WebhooksConfig();
  readonly tracing = new TracingConfig();
}
