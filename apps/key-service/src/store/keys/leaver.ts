import { IDENTITY_EVENTS } from '@gatehouse/delivery';

/** The person on whose account keys are paused or revoked. */
export interface Leaver {
  readonly sourceId: string;
  readonly userId: string;
}

/** As events and views show it. */
export type LeaverView =
  | { cause: 'directory'; directory_id: string; user_id: string }
  | { cause: 'identity'; identity_id: string };

export function leaverView({ sourceId, userId }: Leaver): LeaverView {
  return sourceId === IDENTITY_EVENTS.sourceId
    ? { cause: 'identity', identity_id: userId }
    : { cause: 'directory', directory_id: sourceId, user_id: userId };
}
