export { VERSION } from './build-info.js';
export { clientErrorAnswer } from './client-errors.js';
export { type DirectResponse, type DirectRoute, DirectRoutes } from './direct-routes.js';
export { discardUnreadBody } from './early-answers.js';
export { HttpDrain } from './http-drain.js';
export { httpFault, UNCHECKED_HTTP } from './http-requirements.js';
export { type NativeRoutes } from './native-routes.js';
export { type ProcessDefinition, runProcess, runService } from './run-service.js';
export { REQUEST_ID_HEADER, requestId } from './request-id.js';
export { requestLog } from './request-log.js';
export { RequestSteps, UNMATCHED } from './request-steps.js';
export { API_HEADERS, securityHeaders } from './security-headers.js';
export { onceEnded } from './response-end.js';
export { createHttpServer } from './server-factory.js';
export {
  bodyBudget,
  type CreatedService,
  createService,
  previewService,
  processRegistry,
  type RunningProcess,
  type RunningService,
  type ServiceDefinition,
  startService,
} from './start-service.js';
export { type StandIn } from './stand-in.js';
export { startMetricsServer } from '../metrics/metrics-server.js';
