import { type IdentityEventType } from '@gatehouse/schemas';
import { uuidv7 } from '@gatehouse/service-kit';
import { type Identity, type IdentityEvent } from './identity.types.js';

/** @param flowId the flow whose submission caused it */
export function identityEvent(
  type: IdentityEventType,
  identity: Pick<Identity, 'id' | 'schemaId' | 'schemaVersion' | 'updatedAt'>,
  flowId?: string,
): IdentityEvent {
  const id = uuidv7();
  return {
    id,
    type,
    identityId: identity.id,
    payload: {
      event_id: id,
      type,
      identity_id: identity.id,
      schema_id: identity.schemaId,
      schema_version: identity.schemaVersion,
      occurred_at: identity.updatedAt.toISOString(),
      ...(flowId !== undefined && { flow_id: flowId }),
    },
    createdAt: identity.updatedAt,
  };
}
