export { type AdminOptions, type Sources } from './admin-options.js';
export {
  EndpointAdmin,
  type EndpointAdminOptions,
  ENDPOINTS_MAX,
  type PageQuery,
} from './endpoint-admin.js';
export { countsView } from './endpoint.view.js';
export type {
  AttemptList,
  AttemptView,
  CountsView,
  EndpointSecretView,
  EndpointView,
  EventAttemptView,
  ParkedEventList,
  ParkedEventView,
  TestView,
} from './endpoint.view.js';
export {
  EventAdmin,
  type EventAdminOptions,
  type EventList,
  type EventQuery,
  type EventRecord,
} from './event-admin.js';
export { plainEndpointAdmin, plainEventAdmin, TEST_TIMEOUT_MS } from './plain-admin.js';
export { type EventReplay, readTime } from './replay.input.js';
export type {
  EndpointChanges,
  EndpointRotation,
  NewWebhookEndpoint,
} from '../endpoints/endpoint.input.js';
