import { type ServiceDefinition } from '@gatehouse/service-kit';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import { type IdentityFormsConfig } from './config.js';
import { DecodingRoutes } from './decoding/decoding.routes.js';
import { FlowRoutes } from './flows/flow.routes.js';
import { jsonBodyBytesMax, useJsonBodies } from './http/json-body.js';
import { KnownRoutes } from './http/known-routes.js';
import { PROBLEM_MEDIA_TYPE, problemOf } from './http/problem.js';
import { describeApi } from './openapi/describe-api.js';
import { AssetRoutes } from './pages/asset.routes.js';

/** What the process runs. */
export function identityForms(config: IdentityFormsConfig): ServiceDefinition {
  const bodyBytesMax = jsonBodyBytesMax(config);
  return {
    name: 'identity-forms',
    config,
    module: AppModule.forRoot(config),
    health: { database: true, redis: 'optional' },
    exceptionFilters: [],
    errorBody: problemOf,
    errorMediaType: PROBLEM_MEDIA_TYPE,
    bodyBytesMax,
    ownBodyParsers: true,
    microservice: true,
    openApi: {
      title: 'Identity forms',
      description: 'Typed traits from HTML forms: schemas, decoding, sign-up and profile flows.',
      extend: describeApi,
    },
    configure: (app: NestFastifyApplication) => {
      const fastify = app.getHttpAdapter().getInstance();
      app.get(KnownRoutes).watch(fastify);
      useJsonBodies(fastify, bodyBytesMax);
      for (const Routes of [DecodingRoutes, FlowRoutes, AssetRoutes]) {
        const routes = app.get<{ register(scope: unknown): unknown }>(Routes);
        fastify.register(async (scope) => void (await routes.register(scope)));
      }
    },
  };
}
