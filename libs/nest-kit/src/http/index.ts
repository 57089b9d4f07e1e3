export { VERSION } from './build-info.js';
export { type DirectResponse, type DirectRoute, DirectRoutes } from './direct-routes.js';
export { type NativeRoutes } from './native-routes.js';
export { runService } from './run-service.js';
export { API_HEADERS } from './security-headers.js';
export { previewService, type RunningService, type ServiceDefinition, startService } from './start-service.js';
