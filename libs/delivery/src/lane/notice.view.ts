import { type StoredEvent } from '../log/event-log.types.js';

/** The body of an event about delivery itself. */
export function noticePayload({ type, data, id, sequence, createdAt }: StoredEvent): object {
  return {
    event: type,
    data,
    id,
    sequence: Number(sequence),
    created_at: createdAt.toISOString(),
  };
}
