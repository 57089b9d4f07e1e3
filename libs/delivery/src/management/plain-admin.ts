import { OutboundClient, type OutboundPolicy } from '@gatehouse/kit/outbound';
import { type KeyRing } from '@gatehouse/crypto';
import { type SourcedEvent } from '../log/event-log.types.js';
import { EndpointSecrets } from '../endpoints/endpoint-secrets.js';
import { Sender } from '../lane/sender.js';
import { EventLog } from '../log/event-log.js';
import { plainEventBody } from '../systems/plain-system.js';
import { type AdminOptions } from './admin-options.js';
import { EndpointAdmin } from './endpoint-admin.js';
import { EventAdmin } from './event-admin.js';

/** How long a receiver may take to answer a test. */
export const TEST_TIMEOUT_MS = 10_000;

/** The administration of the endpoints of a plain system; `close` aborts the tests under way. */
export function plainEndpointAdmin(
  options: AdminOptions,
  outbound: OutboundPolicy,
  ring: KeyRing,
): { endpoints: EndpointAdmin; close: () => Promise<void> } {
  const secrets = new EndpointSecrets(ring, options.schema);
  const client = new OutboundClient(outbound);
  const sender = new Sender(secrets, client, TEST_TIMEOUT_MS);
  const endpoints = new EndpointAdmin({ ...options, outbound, secrets, sender });
  return { endpoints, close: () => client.close() };
}

/** The administration of the events of a plain system, whose source is the service itself. */
export function plainEventAdmin(options: AdminOptions, sourceId: string): EventAdmin {
  const log = new EventLog(options.sql, options.schema);
  const find = async (id: string): Promise<SourcedEvent | undefined> => {
    const event = await log.find(id);
    return event?.sourceId === sourceId ? event : undefined;
  };
  return new EventAdmin({ ...options, find, body: plainEventBody });
}
