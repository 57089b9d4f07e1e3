export { createDelivery, type Delivery, type DeliveryOptions } from './delivery.js';
export { DeliveryErrors } from './delivery.errors.js';
export { ENDPOINT_STATES, readOverlap, readWebhookSecret } from './endpoints/endpoint.input.js';
export { ENDPOINT_COLUMNS, isWebhook } from './endpoints/endpoint.sql.js';
export { EndpointSecrets } from './endpoints/endpoint-secrets.js';
export { KEY_SERVICE_ENDPOINT } from './endpoints/endpoint.types.js';
export { addressBeginsWith, Endpoints, type ReplayRange } from './endpoints/endpoints.js';
export type {
  Endpoint,
  EndpointHealth,
  EndpointKey,
  EndpointSettings,
  EndpointState,
  PoisonPolicy,
} from './endpoints/endpoint.types.js';
export type { LaneSettings } from './lane/lane.js';
export { LaneRepository } from './lane/lane.repository.js';
export type { Backlog, LaneRun } from './lane/lane.types.js';
export { RETRY_SCHEDULE_SECONDS, retryDelaySeconds } from './lane/retry-delay.js';
export { Sender, type Sent } from './lane/sender.js';
export { EventLog, type LogPosition } from './log/event-log.js';
export { EventWriter, type NewEvent } from './log/event-writer.js';
export {
  announcedCte,
  EVENT_COLUMNS,
  eventLogStatements,
  insertEvents,
  TRANSACTION_TIME_MAX,
} from './log/event-log.sql.js';
export { OPERATIONS_SOURCE, type SourcedEvent, type StoredEvent } from './log/event-log.types.js';
export { webhookHeaders } from './signing/webhook-headers.js';
export { HintQueue } from './queue/hint-queue.js';
export { queueSpan } from './queue/queue-span.js';
export { bucketOf, jobsOf, LaneInboxes } from './queue/lane-inboxes.js';
export { LaneQueue } from './queue/lane-queue.js';
export {
  type AttemptRecord,
  type DeliveryCounts,
  DeliveryStatus,
  type EventState,
  type LoggedAttempt,
  type ParkedRecord,
  type PayloadRecord,
} from './status/delivery-status.js';
export { grantDelivery, grantDeliveryRead, revokeDelivery } from './tables/delivery-rights.js';
export { addLaneClaims, removeLaneClaims } from './tables/lane-claims.js';
export { createDeliveryTables, dropDeliveryTables } from './tables/delivery-tables.js';
export { plainEventBody, plainSystem } from './systems/plain-system.js';
export { IDENTITY_EVENTS, KEY_EVENTS } from './systems/service-systems.js';
export { Partitions, type Retention } from './tables/partitions.js';
export type {
  DeliveryLogger,
  DeliverySystem,
  InternalReceiver,
  SealedEndpointColumn,
} from './system.js';
