import { type KeyRing } from '@gatehouse/crypto';
import { type DeliveryStatus, LaneRepository, type Sender } from '@gatehouse/delivery';
import { type Sources } from '@gatehouse/delivery/management';
import { type AuditEvents } from '@gatehouse/kit/audit';
import { isUuid } from '@gatehouse/kit/ids';
import { type OutboundPolicy } from '@gatehouse/kit/outbound';
import { PageTokens } from '@gatehouse/kit/paging';
import { type Sql } from '@gatehouse/kit/sql';
import { DIRECTORY_EVENTS } from '@gatehouse/schemas';
import { DSYNC_SCHEMA } from '../../database/schema.js';
import { endpointSecrets } from '../../delivery/directory-system.js';
import { type DirectoryRepository } from '../../directories/directory.repository.js';
import { type DirectorySecrets } from '../../directories/directory-secrets.js';
import { EventRepository } from '../../events/event.repository.js';
import { STRICT, violationMessage } from '../body.input.js';
import { Events } from '../records/events.js';
import { notFound } from '../../sync.errors.js';
import { WebhookEndpoints } from './webhook-endpoints.js';

export interface WebhookAdminContext {
  sql: Sql;
  audit: AuditEvents;
  directories: DirectoryRepository;
  secrets: DirectorySecrets;
  ring: KeyRing;
  outbound: OutboundPolicy;
  sender: Sender;
  delivered: DeliveryStatus;
  pageBytesMax: number;
  wakeLane: (directoryId: string) => void;
}

/** The administration of the events of directories, and of the endpoints that receive them. */
export function createWebhookAdmin(context: WebhookAdminContext) {
  const { sql, audit, directories, secrets, ring, outbound, sender, delivered } = context;
  const options = {
    sql,
    audit,
    schema: DSYNC_SCHEMA,
    types: DIRECTORY_EVENTS,
    input: STRICT,
    pages: PageTokens.fromRing(ring, violationMessage),
    wake: context.wakeLane,
    sources: directorySources(directories),
  };
  return {
    events: new Events({
      ...options,
      directories,
      delivered,
      log: new EventRepository(sql, context.pageBytesMax),
      lanes: new LaneRepository(sql, DSYNC_SCHEMA),
    }),
    endpoints: new WebhookEndpoints(
      { ...options, outbound, sender, secrets: endpointSecrets(secrets) },
      directories,
    ),
  };
}

function directorySources(directories: DirectoryRepository): Sources {
  return {
    auditName: 'directory_id',
    require: async (id) => {
      const isKnown = isUuid(id) && (await directories.access(id));
      if (!isKnown) throw notFound('Directory not found.');
    },
    lock: async (sql, id) => {
      const locked = isUuid(id) && (await directories.lockForEndpoints(sql, id));
      if (!locked) throw notFound('Directory not found.');
      return { isActive: !locked.deactivated };
    },
  };
}
