import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { type ServiceConfig } from '../config/service.config.js';
import { BOUNDED_POOL } from './bounded-client.js';
import { applicationNameOf, dataSourceOptions, type DatabaseDefinition } from './data-source.js';
import { DatabaseProbe } from './database-probe.js';
import { Sql } from './sql.js';

type Definition = Omit<DatabaseDefinition, 'databaseUrl' | 'poolMax'> & { config: ServiceConfig };

/**
 * Connects at start, or fails the start after a few tries. Provides TypeORM's `DataSource` and
 * `Sql`, which runs statements on its pool.
 */
@Module({})
export class DatabaseModule {
  static forRoot({ config, ...definition }: Definition): DynamicModule {
    const options = dataSourceOptions({
      ...definition,
      databaseUrl: config.databaseUrl,
      poolMax: config.databasePoolMax,
    });
    const { schema, tables = [], applicationName = applicationNameOf(schema) } = definition;
    const probe = {
      databaseUrl: config.databaseUrl,
      applicationName: `${applicationName}-health`,
      tables: tables.map((table) => `${schema}.${table}`),
    };
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        TypeOrmModule.forRoot({
          ...options,
          extra: { ...(options.extra as object), ...BOUNDED_POOL },
          retryAttempts: 5,
          retryDelay: 1_000,
        }),
      ],
      providers: [
        Sql,
        {
          provide: DatabaseProbe,
          inject: [DataSource],
          useFactory: (dataSource: DataSource) => new DatabaseProbe(dataSource, probe),
        },
      ],
      exports: [Sql, DatabaseProbe],
    };
  }
}
