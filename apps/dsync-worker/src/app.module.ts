import { databaseDefinition } from '@gatehouse/directory-sync';
import { DatabaseModule, RedisModule } from '@gatehouse/service-kit';
import { type DynamicModule, Module } from '@nestjs/common';
import { type DsyncWorkerConfig } from './config.js';
import { DeliveryModule } from './delivery/delivery.module.js';

@Module({})
export class AppModule {
  static forRoot(config: DsyncWorkerConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        DatabaseModule.forRoot({ config, ...databaseDefinition }),
        RedisModule.forRoot(config),
        DeliveryModule.forRoot(config),
      ],
    };
  }
}
