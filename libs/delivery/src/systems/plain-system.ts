import { EndpointSecrets } from '../endpoints/endpoint-secrets.js';
import { noticePayload } from '../lane/notice.view.js';
import { type DeliverySystem, type InternalReceiver } from '../system.js';
import { type KeyRing } from '@gatehouse/crypto';

/** The body of an event that is delivered as it was logged. */
export const plainEventBody = noticePayload;

/**
 * A system whose events are delivered as they were logged: `{event, data, id, sequence, created_at}`.
 *
 * @param ring ENCRYPTION_KEYS of the service that owns the tables
 */
export function plainSystem(
  schema: string,
  ring: KeyRing,
  internal?: InternalReceiver,
): DeliverySystem {
  const secrets = new EndpointSecrets(ring, schema);
  return {
    schema,
    internal,
    payloads: (_sourceId, events) => events.map(plainEventBody),
    seal: (endpointId, column, text) => secrets.seal(endpointId, column, text),
    open: (endpointId, column, sealed) => secrets.open(endpointId, column, sealed),
  };
}
