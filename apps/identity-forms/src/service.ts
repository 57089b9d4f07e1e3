import { AssetRoutes } from '@gatehouse/pages';
import { type ServiceDefinition } from '@gatehouse/nest-kit/http';
import { AppModule } from './app.module.js';
import { type IdentityFormsConfig } from './config.js';
import { DecodingRoutes } from './decoding/decoding.routes.js';
import { FlowRoutes } from './flows/flow.routes.js';
import { namingBodyLimit } from './http/body-limit.js';
import { jsonBodyBytesMax, useJsonBodies } from './http/json-body.js';
import { PROBLEM_ERRORS } from './http/problem.js';

export function identityForms(config: IdentityFormsConfig): ServiceDefinition {
  const bodyBytesMax = jsonBodyBytesMax(config);
  return {
    name: 'identity-forms',
    config,
    clients: config,
    module: AppModule.forRoot(config),
    health: { database: true, redis: 'optional' },
    errors: { ...PROBLEM_ERRORS, refine: namingBodyLimit(bodyBytesMax) },
    bodyBytesMax,
    bodyParsers: (fastify) => useJsonBodies(fastify, bodyBytesMax),
    nativeRoutes: [DecodingRoutes, FlowRoutes, AssetRoutes],
    microservice: true,
    description: { file: new URL('./openapi.json', import.meta.url) },
  };
}
