import { type ServiceDefinition } from '@gatehouse/service-kit';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import { type IdentityFormsConfig } from './config.js';
import { DecodingRoutes } from './decoding/decoding.routes.js';
import { FlowRoutes } from './flows/flow.routes.js';
import { useJsonBodies } from './http/json-body.js';
import { describeNativeRoutes } from './openapi/native-routes.js';
import { AssetRoutes } from './pages/asset.routes.js';

/** What the process runs. */
export function identityForms(config: IdentityFormsConfig): ServiceDefinition {
  // Room for a schema of the greatest size and the few members around it.
  const bodyBytesMax = Math.max(1024 * 1024, config.schemaBytesMax * 2);
  return {
    name: 'identity-forms',
    config,
    module: AppModule.forRoot(config),
    health: { database: true, redis: 'optional' },
    exceptionFilters: [],
    bodyBytesMax,
    ownBodyParsers: true,
    microservice: true,
    openApi: {
      title: 'Identity forms',
      description: 'Typed traits from HTML forms: schemas, decoding, sign-up and profile flows.',
      extend: describeNativeRoutes,
    },
    configure: (app: NestFastifyApplication) => {
      const fastify = app.getHttpAdapter().getInstance();
      useJsonBodies(fastify, bodyBytesMax);
      for (const Routes of [DecodingRoutes, FlowRoutes, AssetRoutes]) {
        const routes = app.get<{ register(scope: unknown): unknown }>(Routes);
        fastify.register(async (scope) => void (await routes.register(scope)));
      }
    },
  };
}
