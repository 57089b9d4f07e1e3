import { type ServiceDefinition } from '@gatehouse/nest-kit/http';
import { SetupRoutes } from '@gatehouse/setup';
import { AppModule } from './app.module.js';
import { type DsyncApiConfig } from './config.js';
import { MANAGEMENT_PATHS } from './management/management.decorators.js';
import { MANAGEMENT_ERRORS } from './management/management.errors.js';
import { tolerateTrailingSlash } from './management/trailing-slash.js';
import { scimErrorsOf } from './scim/scim.errors.js';
import { ScimRoutes } from './scim/scim.routes.js';
import { NotificationRoutes } from './workspace/notification.routes.js';

export function dsyncApi(config: DsyncApiConfig): ServiceDefinition {
  return {
    name: 'dsync-api',
    config,
    clients: config.clients,
    module: AppModule.forRoot(config),
    health: { database: true, exchange: 'optional' },
    messages: config.messages,
    errors: { ...MANAGEMENT_ERRORS, variantOf: scimErrorsOf },
    omitHeadFromAllow: true,
    configure: (fastify) => tolerateTrailingSlash(fastify, MANAGEMENT_PATHS),
    nativeRoutes: [ScimRoutes, NotificationRoutes, SetupRoutes],
    description: { file: new URL('./dsync-api.openapi.json', import.meta.url) },
  };
}
