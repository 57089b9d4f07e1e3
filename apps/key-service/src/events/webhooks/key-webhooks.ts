import { type KeyRing } from '@gatehouse/crypto';
import { KEY_EVENTS, LaneQueue } from '@gatehouse/delivery';
import { PlainWebhookAdmin, WebhooksModule } from '@gatehouse/delivery/nest';
import { AuditEvents } from '@gatehouse/kit/audit';
import { PageTokens } from '@gatehouse/kit/paging';
import { Sql } from '@gatehouse/kit/sql';
import { KEY_EVENT_CATALOG, LOGGED_KEY_EVENTS } from '@gatehouse/schemas';
import { KeyServiceConfig } from '../../config.js';
import { ENCRYPTION_RING, HMAC_RING } from '../../key-rings.js';
import { RequestInput } from '../../api/input.js';

/** The administration of the events of keys, and of the endpoints that receive them. */
export const KeyWebhooksModule = WebhooksModule.forSystem({
  paths: ['v2alpha1/admin'],
  source: { id: KEY_EVENTS.sourceId },
  catalog: KEY_EVENT_CATALOG,
  describe: ({ id, ...operation }) => ({
    ...operation,
    id: `admin${id.slice(0, 1).toUpperCase()}${id.slice(1)}`,
  }),
  admin: {
    inject: [
      Sql,
      KeyServiceConfig,
      AuditEvents,
      LaneQueue,
      RequestInput,
      HMAC_RING,
      ENCRYPTION_RING,
    ],
    useFactory: (
      sql: Sql,
      { webhooks }: KeyServiceConfig,
      audit: AuditEvents,
      lanes: LaneQueue,
      { options: input }: RequestInput,
      hmacRing: KeyRing,
      ring: KeyRing,
    ) =>
      new PlainWebhookAdmin({
        ...KEY_EVENTS,
        types: LOGGED_KEY_EVENTS,
        sql,
        audit,
        input,
        ring,
        outbound: webhooks,
        pages: PageTokens.fromRing(hmacRing),
        wake: (sourceId) => lanes.wake(sourceId),
      }),
  },
});
