import { type KeyRing } from '@gatehouse/crypto';
import { EndpointSecrets } from '../endpoints/endpoint-secrets.js';
import { Sender } from '../lane/sender.js';
import { OutboundClient, type OutboundPolicy } from '../outbound/outbound.js';
import { EndpointAdmin, type EndpointAdminOptions } from './endpoint-admin.js';

export interface PlainAdminOptions extends Pick<
  EndpointAdminOptions,
  'sql' | 'schema' | 'sourceId' | 'wake'
> {
  /** ENCRYPTION_KEYS of the service. */
  ring: KeyRing;
  outbound: OutboundPolicy;
}

/** How long a receiver may take to answer a test. */
export const TEST_TIMEOUT_MS = 10_000;

/** The administration of the endpoints of a plain system; `close` aborts the tests under way. */
export function plainEndpointAdmin({ ring, outbound, ...options }: PlainAdminOptions) {
  const secrets = new EndpointSecrets(ring, options.schema);
  const client = new OutboundClient(outbound);
  const sender = new Sender(secrets, client, TEST_TIMEOUT_MS);
  const admin = new EndpointAdmin({ ...options, secrets, sender });
  return { admin, close: () => client.close() };
}
