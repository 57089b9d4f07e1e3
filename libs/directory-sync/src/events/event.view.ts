import { customAttributes } from '../users/custom-attributes.js';
import type { DirectoryEvent, EventRow } from './event.types.js';

/** What of a directory goes into every event. */
export interface EventSource {
  id: string;
  tenant: string;
  product: string;
  attributeMapping: Record<string, string> | null;
}

/** The payload of an event. Custom attributes are read from its `raw` by the directory's mapping. */
export function eventPayload(row: EventRow, source: EventSource): DirectoryEvent {
  const aboutUser = row.type.startsWith('user.') || row.type.startsWith('group.user_');
  const custom = aboutUser ? customAttributes(row.data.raw, source.attributeMapping) : undefined;
  return {
    event: row.type,
    tenant: source.tenant,
    product: source.product,
    directory_id: source.id,
    data: custom === undefined ? row.data : { ...row.data, custom_attributes: custom },
    id: row.id,
    sequence: Number(row.sequence),
    created_at: row.createdAt.toISOString(),
    ...(row.previous === null ? {} : { previous: row.previous }),
  };
}
