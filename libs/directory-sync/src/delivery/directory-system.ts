import { type DeliverySystem, type SealedEndpointColumn } from '@gatehouse/delivery';
import { type DirectoryRepository } from '../directories/directory.repository.js';
import { type DirectorySecrets } from '../directories/directory-secrets.js';
import { DSYNC_SCHEMA } from '../database/schema.js';
import { type EventRow } from '../events/event.types.js';
import { eventPayload } from '../events/event.view.js';

const COLUMNS = { secret: 'webhook_secret', headers: 'webhook_headers' } as const;

/** How the events of directories are delivered. */
export function directorySystem(
  directories: DirectoryRepository,
  secrets: DirectorySecrets,
): DeliverySystem {
  return {
    schema: DSYNC_SCHEMA,
    payloads: async (sourceId, events) => {
      const directory = await directories.access(sourceId);
      if (!directory || directory.deactivated) return null;
      return events.map((event) => eventPayload(event as EventRow, directory));
    },
    ...endpointSecrets(secrets),
  };
}

/** The sealed columns of endpoints. The webhook of a directory has its id. */
export function endpointSecrets(secrets: DirectorySecrets) {
  return {
    seal: (endpointId: string, column: SealedEndpointColumn, text: string) =>
      secrets.seal(endpointId, COLUMNS[column], text),
    open: (endpointId: string, column: SealedEndpointColumn, sealed: string) =>
      secrets.open(endpointId, COLUMNS[column], sealed),
  };
}
