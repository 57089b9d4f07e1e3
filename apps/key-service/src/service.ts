import { type ServiceDefinition } from '@gatehouse/nest-kit/http';
import { AppModule } from './app.module.js';
import { type KeyServiceConfig } from './config.js';
import { nativeOperationsOf } from './native-operations.js';
import { describeApi } from './api/openapi/document.js';
import { ADMIN_NATIVE_ROUTES, PUBLIC_NATIVE_ROUTES } from './surface.modules.js';
import { AIP_ERRORS } from './api/aip-errors.js';

export function keyService(config: KeyServiceConfig): ServiceDefinition {
  return {
    name: 'key-service',
    config,
    clients: config,
    module: AppModule.forRoot(config),
    health: { database: true, redis: 'required' },
    errors: AIP_ERRORS,
    microservice: true,
    nativeRoutes: [
      ...(config.surface === 'public' ? [] : ADMIN_NATIVE_ROUTES),
      ...(config.surface === 'admin' ? [] : PUBLIC_NATIVE_ROUTES),
    ],
    openApi: {
      title: 'Gatehouse key service',
      description: 'API keys: issue, import, verify, derive, revoke.',
      extend: (document) => describeApi(document, nativeOperationsOf(config.surface)),
    },
  };
}
