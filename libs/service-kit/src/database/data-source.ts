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
  applicationName?: string;
}

/** Statement and lock timeouts, so that one bad query cannot block a service. */
const STATEMENT_TIMEOUT_MS = 15_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 15_000;

export function dataSourceOptions(definition: DatabaseDefinition): DataSourceOptions {
  return {
    type: 'postgres',
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
    connectTimeoutMS: 5_000,
    extra: {
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
      keepAlive: true,
    },
  };
}

export function applicationNameOf(schema: string): string {
  return `gatehouse-${schema}`;
}

export function createDataSource(definition: DatabaseDefinition): DataSource {
  return new DataSource(dataSourceOptions(definition));
}
