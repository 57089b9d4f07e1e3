import { type ServiceDefinition } from '@gatehouse/nest-kit/http';
import { AppModule } from './app.module.js';
import { type KeyServiceConfig } from './config.js';
import { ofSurface } from './api/openapi/surface.js';
import { ADMIN_NATIVE_ROUTES, PUBLIC_NATIVE_ROUTES } from './surface.modules.js';
import { AIP_ERRORS } from './api/aip-errors.js';

export function keyService(config: KeyServiceConfig): ServiceDefinition {
  return {
    name: 'key-service',
    config,
    clients: config.clients,
    module: AppModule.forRoot(config),
    health: { database: true, exchange: 'required' },
    errors: AIP_ERRORS,
    messages: config.messages,
    microservice: true,
    nativeRoutes: [
      ...(config.surface === 'public' ? [] : ADMIN_NATIVE_ROUTES),
      ...(config.surface === 'admin' ? [] : PUBLIC_NATIVE_ROUTES),
    ],
    description: {
      file: new URL('./key-service.openapi.json', import.meta.url),
      select: (all) => ofSurface(all, config.surface),
    },
  };
}
