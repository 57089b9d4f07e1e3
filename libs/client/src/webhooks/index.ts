export { type ReceivedRequest } from './request-body.js';
export { webhook, type WebhookEvent, type WebhookOptions, type WebhookSecrets } from './webhook.js';
export { WebhookError } from './webhook-error.js';
