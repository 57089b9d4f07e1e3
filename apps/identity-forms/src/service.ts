import { AssetRoutes } from '@gatehouse/pages';
import { type ServiceDefinition } from '@gatehouse/nest-kit/http';
import { AppModule } from './app.module.js';
import { type IdentityFormsConfig } from './config.js';
import { DecodingRoutes } from './decoding/decoding.routes.js';
import { FlowRoutes } from './flows/flow.routes.js';
import { namingBodyLimit } from './http/body-limit.js';
import { JSON_BODY_BYTES_MAX, useJsonBodies } from './http/json-body.js';
import { PROBLEM_ERRORS } from './http/problem.js';

export function identityForms(config: IdentityFormsConfig): ServiceDefinition {
  return {
    name: 'identity-forms',
    config,
    clients: config.clients,
    module: AppModule.forRoot(config),
    health: { database: true, exchange: 'optional' },
    errors: { ...PROBLEM_ERRORS, refine: namingBodyLimit(JSON_BODY_BYTES_MAX) },
    bodyBytesMax: JSON_BODY_BYTES_MAX,
    bodyParsers: (fastify) => useJsonBodies(fastify, JSON_BODY_BYTES_MAX),
    nativeRoutes: [DecodingRoutes, FlowRoutes, AssetRoutes],
    messages: config.messages,
    microservice: true,
    description: { file: new URL('./identity-forms.openapi.json', import.meta.url) },
  };
}
