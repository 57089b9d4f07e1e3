import { Matches, Validate } from 'class-validator';
import { type RedisSettings } from '../redis/redis-connection.js';
import { Env, Secret } from './load-config.js';
import { IsRedisUrl, IsTlsAuthority } from './redis.constraints.js';

/** How a service reaches Redis. */
export class RedisConfig implements RedisSettings {
  @Secret()
  @Env('REDIS_URL', '`redis://…`, also under [Sentinel or as Cluster](docs/operations.md#redis)')
  @Validate(IsRedisUrl)
  url = '';

  @Secret()
  @Env(
    'REDIS_TLS_CA',
    'PEM certificates that Redis is verified with, instead of the authorities that Node.js trusts',
  )
  @Validate(IsTlsAuthority)
  tlsCa = '';

  @Env(
    'REDIS_SENTINEL_USERNAME',
    'The login at the sentinels, if they require one; that of the servers is a part of `REDIS_URL`',
  )
  sentinelUsername = '';

  @Secret()
  @Env('REDIS_SENTINEL_PASSWORD', 'Its password')
  sentinelPassword = '';

  @Env(
    'REDIS_NAMESPACE',
    'Prefix of all Redis keys and channels; must be the same in all services of a stack',
  )
  @Matches(/^[A-Za-z0-9._-]*$/, {
    message: 'may contain letters, digits, dots, dashes and underscores',
  })
  namespace = '';
}
