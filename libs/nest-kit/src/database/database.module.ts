import { type DynamicModule, Inject, Module, type OnModuleInit } from '@nestjs/common';
import { type Logger } from 'pino';
import { DataSource } from 'typeorm';
import { type ServiceConfig } from '../config/service.config.js';
import { LOGGER } from '../logging/logger.js';
import { BOUNDED_POOL, Sql } from '@gatehouse/kit/sql';
import {
  applicationNameOf,
  dataSourceOptions,
  type DatabaseDefinition,
  isPooled,
} from './data-source.js';
import { DataSourceModule } from './data-source.module.js';
import { DatabaseProbe } from './database-probe.js';
import { migrationNames, refuseOtherCell, schemaOf } from './migrate.js';
import { refuseDowngrade } from './migration-versions.js';
import { sqlOf } from './typeorm-sql.js';

const CELL = Symbol('CELL');

type Definition = Omit<DatabaseDefinition, 'databaseUrl' | 'poolMax' | 'isPooled'> & {
  config: ServiceConfig;
};

/**
 * Connects at start, or fails the start after a few tries. Provides TypeORM's `DataSource` and
 * `Sql`, which runs statements on its pool.
 */
@Module({})
export class DatabaseModule implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(CELL) private readonly cell: number,
  ) {}

  static forRoot({ config, ...definition }: Definition): DynamicModule {
    const options = dataSourceOptions({
      ...definition,
      databaseUrl: config.database.url,
      poolMax: config.database.poolMax,
      isPooled: config.database.directUrl !== '',
    });
    const { schema, tables = [], applicationName = applicationNameOf(schema) } = definition;
    const probe = {
      databaseUrl: config.database.url,
      applicationName: `${applicationName}-health`,
      tables: tables.map((table) => `${schema}.${table}`),
    };
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        DataSourceModule.forRoot({
          ...options,
          extra: { ...(options.extra as object), ...BOUNDED_POOL },
        }),
      ],
      providers: [
        { provide: CELL, useValue: config.database.cell },
        { provide: Sql, inject: [DataSource], useFactory: sqlOf },
        {
          provide: DatabaseProbe,
          inject: [DataSource],
          useFactory: (dataSource: DataSource) => new DatabaseProbe(dataSource, probe),
        },
      ],
      exports: [Sql, DatabaseProbe],
    };
  }

  async onModuleInit(): Promise<void> {
    const schema = schemaOf(this.dataSource);
    await refuseOtherCell(this.dataSource, schema, this.cell);
    const known = migrationNames(this.dataSource);
    const migrations = await refuseDowngrade(this.dataSource, schema, known);
    if (migrations.length > 0) {
      this.logger.warn({ migrations }, 'a newer version has migrated the database');
    }
    if (!isPooled(this.dataSource.options)) return;
    const [row] = await this.dataSource.query<{ limit: string }[]>(
      `SELECT current_setting('statement_timeout') AS limit`,
    );
    if (row?.limit === '0') this.logger.warn('the role has no statement_timeout behind the pooler');
  }
}
