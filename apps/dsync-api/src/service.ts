import { type DirectorySync } from '@gatehouse/directory-sync';
import { acceptJsonOnly, LOGGER, type ServiceDefinition } from '@gatehouse/service-kit';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type Logger } from 'pino';
import { AppModule } from './app.module.js';
import { type DsyncApiConfig } from './config.js';
import { MANAGEMENT_PATHS } from './management/management.decorators.js';
import { faultBody, ManagementFilter } from './management/management.filter.js';
import { RouteMethods } from './management/route-methods.js';
import { tolerateTrailingSlash } from './management/trailing-slash.js';
import { describeApi } from './openapi/describe-api.js';
import { registerScimRoutes } from './scim/scim.routes.js';
import { DIRECTORY_SYNC } from './sync.module.js';

/** What the process runs. */
export function dsyncApi(config: DsyncApiConfig): ServiceDefinition {
  return {
    name: 'dsync-api',
    config,
    module: AppModule.forRoot(config),
    health: { database: true, redis: 'optional' },
    exceptionFilters: [],
    errorBody: faultBody,
    ownBodyParsers: true,
    configure: async (app: NestFastifyApplication) => {
      const fastify = app.getHttpAdapter().getInstance();
      const logger = app.get<Logger>(LOGGER);
      app.useGlobalFilters(new ManagementFilter(logger, new RouteMethods(fastify)));
      tolerateTrailingSlash(fastify, MANAGEMENT_PATHS);
      acceptJsonOnly(fastify);
      await registerScimRoutes(fastify, app.get<DirectorySync>(DIRECTORY_SYNC), logger);
    },
    openApi: {
      title: 'Gatehouse directory sync',
      description: 'Directories, their users, groups and events. SCIM 2.0 for identity providers.',
      extend: describeApi,
    },
  };
}
