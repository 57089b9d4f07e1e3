import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { type ServiceConfig } from '../config/service.config.js';
import { BOUNDED_POOL } from './bounded-client.js';
import { dataSourceOptions, type DatabaseDefinition } from './data-source.js';
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
      providers: [Sql],
      exports: [Sql],
    };
  }
}
