export { EventRetention } from './event-retention.js';
export { LaneQueueModule } from './lane-queue.module.js';
export { PlainWebhookAdmin } from './plain-webhook-admin.js';
export {
  endpointSchemas,
  EVENT_DELIVERY,
  plainEventSchemas,
  webhookExamples,
  webhookSchemas,
} from './webhook.schemas.js';
export { type WebhookAdmin, type WebhookSystem } from './webhook-system.js';
export { WebhooksModule } from './webhooks.module.js';
