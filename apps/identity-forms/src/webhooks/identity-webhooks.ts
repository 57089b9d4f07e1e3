import { KeyRing } from '@gatehouse/crypto';
import { IDENTITY_EVENTS, LaneQueue } from '@gatehouse/delivery';
import { PlainWebhookAdmin, WebhooksModule } from '@gatehouse/delivery/nest';
import { AuditEvents } from '@gatehouse/kit/audit';
import { PageTokens } from '@gatehouse/kit/paging';
import { Sql } from '@gatehouse/kit/sql';
import { IDENTITY_EVENT_CATALOG, LOGGED_IDENTITY_EVENTS } from '@gatehouse/schemas';
import { IdentityFormsConfig } from '../config.js';
import { FormsErrors } from '../errors.js';
import { STRICT } from '../http/json-body.js';
import { PagingModule } from '../paging/paging.module.js';

/** The administration of the events of identities, and of the endpoints that receive them. */
export const IdentityWebhooksModule = WebhooksModule.forSystem({
  paths: ['v1'],
  source: { id: IDENTITY_EVENTS.sourceId },
  catalog: IDENTITY_EVENT_CATALOG,
  imports: [PagingModule],
  // Without ENCRYPTION_KEYS, every operation on endpoints is a 409.
  describe: ({ errors = [], ...operation }) => ({ ...operation, errors: [...errors, 409] }),
  admin: {
    inject: [Sql, IdentityFormsConfig, AuditEvents, LaneQueue, PageTokens],
    useFactory: (
      sql: Sql,
      { encryptionKeys, webhooks }: IdentityFormsConfig,
      audit: AuditEvents,
      lanes: LaneQueue,
      pages: PageTokens,
    ) =>
      new PlainWebhookAdmin({
        ...IDENTITY_EVENTS,
        types: LOGGED_IDENTITY_EVENTS,
        sql,
        audit,
        pages,
        input: STRICT,
        ring:
          encryptionKeys.length === 0
            ? FormsErrors.WEBHOOKS_NOT_CONFIGURED
            : KeyRing.fromTexts(encryptionKeys),
        outbound: webhooks,
        wake: (sourceId) => lanes.wake(sourceId),
      }),
  },
});
