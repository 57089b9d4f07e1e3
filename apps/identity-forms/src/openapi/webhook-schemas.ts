import { plainEventSchemas, webhookExamples, webhookSchemas } from '@gatehouse/delivery/nest';
import { LOGGED_IDENTITY_EVENTS } from '@gatehouse/schemas';

export const WEBHOOK_SCHEMAS = {
  ...webhookSchemas(LOGGED_IDENTITY_EVENTS),
  ...plainEventSchemas(LOGGED_IDENTITY_EVENTS),
};

export const WEBHOOK_EXAMPLES = webhookExamples({
  event: 'identity.created',
  data: {
    identity_id: '01983f6e-7c10-7000-8000-2f6d1c7a9b01',
    schema_id: 'example',
    schema_version: 1,
    flow_id: '01983f6d-5a0e-7000-8000-9e8d7c6b5a40',
  },
});
