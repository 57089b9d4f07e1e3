import { plainEventSchemas, webhookExamples, webhookSchemas } from '@gatehouse/delivery/nest';
import { LOGGED_KEY_EVENTS } from '@gatehouse/schemas';

export const WEBHOOK_SCHEMAS = {
  ...webhookSchemas(LOGGED_KEY_EVENTS),
  ...plainEventSchemas(LOGGED_KEY_EVENTS),
};

export const WEBHOOK_EXAMPLES = webhookExamples({
  event: 'key.revoked',
  data: {
    key_id: '01983f6e-7c10-7000-8000-2f6d1c7a9b01',
    kind: 'issued',
    name: 'Checkout in production',
    actor_id: 'customer-17',
    metadata: { team: 'checkout' },
    visibility: 'KEY_VISIBILITY_SECRET',
    status: 'KEY_STATUS_REVOKED',
    expire_time: '2026-02-14T09:30:00.000Z',
    reason: 'REVOCATION_REASON_KEY_COMPROMISE',
  },
});
