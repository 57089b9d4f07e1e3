import { setTimeout as sleep } from 'node:timers/promises';
import { type DynamicModule, Module, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource, type DataSourceOptions } from 'typeorm';

const TRIES_MAX = 5;
const TRY_PAUSE_MS = 1_000;

/**
 * Provides TypeORM's `DataSource`, connected. A module of its own, below all that use it: it is closed
 * after them.
 */
@Module({})
export class DataSourceModule implements OnApplicationShutdown {
  constructor(private readonly dataSource: DataSource) {}

  static forRoot(options: DataSourceOptions): DynamicModule {
    return {
      module: DataSourceModule,
      global: true,
      providers: [{ provide: DataSource, useFactory: () => connected(options) }],
      exports: [DataSource],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
  }
}

async function connected(options: DataSourceOptions): Promise<DataSource> {
  for (let tries = 1; ; tries++) {
    try {
      return await new DataSource(options).initialize();
    } catch (error) {
      if (tries === TRIES_MAX) throw error;
      await sleep(TRY_PAUSE_MS);
    }
  }
}
