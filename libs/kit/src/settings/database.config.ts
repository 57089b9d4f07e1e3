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

  /** PostgreSQL itself: migrations, locks and LISTEN need a session. */
  get sessionUrl(): string {
    return this.directUrl || this.url;
  }

  @Env('DATABASE_POOL_MAX', 'PostgreSQL connections of a process', asInteger)
  @Min(1)
  @Max(200)
  poolMax = 10;

  @Env(
    'CELL',
    '[Cell](docs/adr/0046-keys-contain-their-owner.md) of new ids, 0 to 255; the same for all processes of a stack',
    asInteger,
  )
  @Min(0)
  @Max(255)
  cell = 0;
}
