import { type LoggedKeyData, type LoggedKeyEventType } from '@gatehouse/schemas';
import { type NewEvent } from '@gatehouse/delivery';
import { type JsonObject } from '@gatehouse/kit/input';
import { type KeyRecord, statusOf } from '../store/keys/key.record.js';

/** A change of a key. `details` never has a credential. */
export interface LoggedChange {
  readonly type: LoggedKeyEventType;
  readonly key: KeyRecord;
  readonly oldKeyId?: string;
  readonly details?: JsonObject;
}

/** The event of a change: the key, and what its receiver should be told about it. */
export function keyEventOf({
  type,
  key,
  oldKeyId,
  details,
}: LoggedChange): NewEvent<LoggedKeyEventType> {
  const data: LoggedKeyData = {
    key_id: key.keyId,
    kind: key.kind,
    name: key.name,
    actor_id: key.actorId,
    metadata: key.metadata,
    ...(key.tags.length > 0 && { tags: key.tags }),
    visibility: key.visibility,
    status: statusOf(key),
    expire_time: key.expireTime?.toISOString() ?? null,
  };
  return { type, data: { ...data, ...(oldKeyId && { old_key_id: oldKeyId }), ...details } };
}
