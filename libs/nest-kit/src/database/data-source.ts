import { type AnswerBounds, BOUNDED_POOL } from '@gatehouse/kit/sql';
import pg from 'pg';
import {
  DataSource,
  type DataSourceOptions,
  type EntityTarget,
  type MigrationInterface,
} from 'typeorm';

export interface DatabaseDefinition {
  databaseUrl: string;
  /** The only schema that the service reads and writes. */
  schema: string;
  entities: EntityTarget<object>[];
  migrations: (new () => MigrationInterface)[];
  /** The tables that requests need, without the schema; without one of them, it is not ready. */
  tables?: readonly string[];
  poolMax?: number;
  /** Whether `databaseUrl` leads to a pooler, which keeps no session for a connection. */
  isPooled?: boolean;
  applicationName?: string;
}

const CONNECT_TIMEOUT_MS = 5_000;
/** Sessions that stay open, with their plans, so that work after a quiet time does not wait for new ones. */
const KEPT_SESSIONS = 4;

/**
 * Limits of each session, so that one bad query cannot block a service. A pooler refuses them at the
 * start of a connection; behind one, those of the role apply (deploy/postgres/provision.sql).
 */
const SESSION_LIMITS = {
  statement_timeout: 15_000,
  idle_in_transaction_session_timeout: 15_000,
};

export function dataSourceOptions(definition: DatabaseDefinition): DataSourceOptions {
  return {
    type: 'postgres',
    // TypeORM would look for it in node_modules, which a bundle does not have.
    driver: pg,
    url: definition.databaseUrl,
    schema: definition.schema,
    entities: definition.entities as never[],
    migrations: definition.migrations,
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    synchronize: false,
    migrationsRun: false,
    poolSize: definition.poolMax ?? 10,
    applicationName: definition.applicationName ?? applicationNameOf(definition.schema),
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    extra: {
      ...(definition.isPooled ? {} : SESSION_LIMITS),
      keepAlive: true,
      min: KEPT_SESSIONS,
    },
  };
}

/** A pool of connections with a response timeout. It connects when it is first used. */
export function createPool({
  databaseUrl,
  poolMax,
  isPooled: isBehindPooler,
  applicationName,
}: Pick<DatabaseDefinition, 'databaseUrl' | 'poolMax' | 'isPooled' | 'applicationName'>): pg.Pool {
  const options: pg.PoolConfig & AnswerBounds = {
    ...BOUNDED_POOL,
    ...(isBehindPooler ? {} : SESSION_LIMITS),
    connectionString: databaseUrl,
    max: poolMax,
    min: KEPT_SESSIONS,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  };
  const pool = new pg.Pool(options);
  // An idle connection that ends is replaced by the next statement.
  pool.on('error', () => undefined);
  return pool;
}

/** Whether connections have no limits of their own, because they lead to a pooler. */
export function isPooled({ extra }: DataSourceOptions): boolean {
  return (extra as Partial<typeof SESSION_LIMITS>).statement_timeout === undefined;
}

export function applicationNameOf(schema: string): string {
  return `gatehouse-${schema}`;
}

export function createDataSource(definition: DatabaseDefinition): DataSource {
  return new DataSource(dataSourceOptions(definition));
}
