/** Why a key is in its state. */
import { KeyEvents } from '@gatehouse/schemas';
import { STATE_CAUSES } from '../api/enums.js';
import { type ChangeOrigin, type DatedChange } from '../events/audit/audit-history.js';
import { type KeyRecord, statusOf } from '../store/keys/key.record.js';

export interface StateReason {
  cause: (typeof STATE_CAUSES)[number];
  time: Date;
  /** As in audit events; '' without one. */
  caller: string;
}

/** The change of a key that its audit event explains. */
export function changeOf({ keyId, revokeTime, pauseTime }: KeyRecord): DatedChange[] {
  if (revokeTime !== null) return [{ keyId, type: KeyEvents.revoked, time: revokeTime }];
  return pauseTime === null ? [] : [{ keyId, type: KeyEvents.paused, time: pauseTime }];
}

/**
 * Null for an active key.
 *
 * @param origin of the change, if there is one and its event is still there
 */
export function stateReasonOf(
  key: KeyRecord,
  origin: ChangeOrigin | undefined,
): StateReason | null {
  const { expireTime, revokeTime, pauseTime } = key;
  if (expireTime !== null && statusOf(key) === 'KEY_STATUS_EXPIRED') {
    return { cause: 'expiry', time: expireTime, caller: '' };
  }
  const time = revokeTime ?? pauseTime;
  return time && { cause: causeOf(key, origin), time, caller: origin?.caller ?? '' };
}

/** The event of a rotation is one of the new key. */
function causeOf(
  { replacedBy }: KeyRecord,
  origin: ChangeOrigin | undefined,
): StateReason['cause'] {
  if (origin === undefined) return replacedBy === '' ? 'unknown' : 'rotation';
  const { details, caller } = origin;
  const named = STATE_CAUSES.find((cause) => cause === (details['cause'] ?? details['by']));
  return named ?? (caller.startsWith('portal:') ? 'portal' : 'administrator');
}
