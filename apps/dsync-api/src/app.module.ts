import { databaseDefinition } from '@gatehouse/directory-sync';
import {
  AdminModule,
  DatabaseModule,
  MessagingModule,
  RedisModule,
  RemoteCredentialVerifier,
} from '@gatehouse/service-kit';
import { type DynamicModule, Module } from '@nestjs/common';
import { type DsyncApiConfig } from './config.js';
import { DirectoriesController } from './directories/directories.controller.js';
import { EventsController } from './events/events.controller.js';
import { MANAGEMENT_PATHS } from './management/management.decorators.js';
import { unauthorized } from './management/unauthorized.js';
import { RecordsController } from './records/records.controller.js';
import { ScimRoutes } from './scim/scim.routes.js';
import { SyncModule } from './sync.module.js';

@Module({})
export class AppModule {
  static forRoot(config: DsyncApiConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        DatabaseModule.forRoot({ config, ...databaseDefinition }),
        RedisModule.forRoot(config),
        MessagingModule.forRoot(config),
        AdminModule.forRoot({
          staticKeys: config.apiKeys,
          mode: 'closed',
          schemes: ['api-key', 'bearer'],
          scopes: ['dsync:admin'],
          verifier: RemoteCredentialVerifier,
          paths: MANAGEMENT_PATHS.map((path) => `/${path}`),
          refusal: unauthorized,
        }),
        SyncModule.forRoot(config),
      ],
      // Fixed paths must come before paths with a parameter in the same place.
      controllers: [RecordsController, EventsController, DirectoriesController],
      providers: [ScimRoutes],
    };
  }
}
