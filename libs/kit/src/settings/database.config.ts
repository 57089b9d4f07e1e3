import { Matches, Max, Min } from 'class-validator';
import { Env, Secret } from './load-config.js';
import { asInteger } from './setting-parsers.js';

const IS_POSTGRES = { message: 'must be a postgres:// address' };

/** How a program reaches PostgreSQL. */
export class DatabaseConfig {
  @Secret()
  @Env('DATABASE_URL', '`postgres://…`; use a separate role for each service')
  @Matches(/^postgres(ql)?:\/\//, IS_POSTGRES)
  url = '';

  @Secret()
  @Env(
    'DATABASE_DIRECT_URL',
    'PostgreSQL itself, if `DATABASE_URL` is [a pooler](docs/operations.md#pgbouncer) in transaction mode',
  )
  @Matches(/^(postgres(ql)?:\/\/.*)?$/, IS_POSTGRES)
  directUrl = '';

  @Env('DATABASE_POOL_MAX', 'PostgreSQL connections of a process', asInteger)
  @Min(1)
  @Max(200)
  poolMax = 10;
}
