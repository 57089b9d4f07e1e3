import { Matches } from 'class-validator';
import { Env, Secret } from './load-config.js';

/** The setting that everything with a database needs. */
export class DatabaseConfig {
  @Secret()
  @Env('DATABASE_URL')
  @Matches(/^postgres(ql)?:\/\//, { message: 'must be a postgres:// address' })
  databaseUrl = '';

  /** The database itself, where DATABASE_URL leads to a pooler in transaction mode. */
  @Secret()
  @Env('DATABASE_DIRECT_URL')
  @Matches(/^(postgres(ql)?:\/\/.*)?$/, { message: 'must be a postgres:// address' })
  databaseDirectUrl = '';
}
