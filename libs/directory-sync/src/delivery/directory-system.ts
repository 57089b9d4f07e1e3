import {
  type DeliverySystem,
  type InternalReceiver,
  type SealedEndpointColumn,
} from '@gatehouse/delivery';
import { type DirectorySecrets } from '../directories/directory-secrets.js';
import { DSYNC_SCHEMA } from '../database/schema.js';
import { type EventRow } from '../events/event.types.js';
import { type EventSource, eventPayload } from '../events/event.view.js';

const COLUMNS = { secret: 'webhook_secret', headers: 'webhook_headers' } as const;

/** The migration that adds claims reads it. */
type DeliveredDirectory = EventSource & { deactivated: boolean };

/** How the events of directories are delivered. */
export function directorySystem(
  secrets: DirectorySecrets,
  internal?: InternalReceiver,
): DeliverySystem {
  return {
    schema: DSYNC_SCHEMA,
    internal,
    payloads: (_directoryId, events, source) => {
      const directory = source as DeliveredDirectory | null;
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
