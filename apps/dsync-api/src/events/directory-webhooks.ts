import { type WebhookAdmin, WebhooksModule } from '@gatehouse/delivery/nest';
import { NULL } from '@gatehouse/nest-kit/openapi';
import { type DirectorySync } from '@gatehouse/directory-sync';
import { DIRECTORY_EVENT_CATALOG } from '@gatehouse/schemas';
import { MANAGEMENT_PATHS } from '../management/management.decorators.js';
import { envelope } from '../openapi/operation.js';
import { DIRECTORY_SYNC } from '../sync.module.js';

/** The administration of the events of directories, and of the endpoints that receive them. */
export const DirectoryWebhooksModule = WebhooksModule.forSystem({
  paths: MANAGEMENT_PATHS,
  source: { parameter: 'directoryId' },
  catalog: DIRECTORY_EVENT_CATALOG,
  admin: {
    inject: [DIRECTORY_SYNC],
    useFactory: ({ webhookAdmin }: DirectorySync): WebhookAdmin => webhookAdmin,
  },
  envelope: {
    answer: (data) => ({ data: data ?? null, error: null }),
    schema: (data) => envelope(data, NULL),
  },
});
