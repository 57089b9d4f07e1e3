import { type JsonObject, sameJson } from '@gatehouse/scim';
import { customAttributes } from '../directories/custom-attributes.js';
import type { DirectoryEvent, EventRow } from './event.types.js';

/** The members of a directory that every event needs. */
export interface EventSource {
  id: string;
  tenant: string;
  product: string;
  attributeMapping: Record<string, string> | null;
}

/** The payload of an event. The attribute mapping of the directory yields `custom_attributes`. */
export function eventPayload(row: EventRow, source: EventSource): DirectoryEvent {
  const aboutUser = row.type.startsWith('user.') || row.type.startsWith('group.user_');
  const mapping = aboutUser ? source.attributeMapping : null;
  const previous = row.previous && previousOf(row.previous, row.data, mapping);
  return {
    event: row.type,
    tenant: source.tenant,
    product: source.product,
    directory_id: source.id,
    data: withCustom(row.data, customAttributes(row.data.raw, mapping)),
    id: row.id,
    sequence: Number(row.sequence),
    created_at: row.createdAt.toISOString(),
    ...(previous && { previous }),
  };
}

/** The previous values, with custom attributes if these have changed. */
function previousOf(
  previous: JsonObject,
  data: JsonObject,
  mapping: Record<string, string> | null,
): JsonObject {
  const old = customAttributes(previous.raw, mapping);
  return sameJson(old, customAttributes(data.raw, mapping)) ? previous : withCustom(previous, old);
}

function withCustom(members: JsonObject, custom: JsonObject | undefined): JsonObject {
  return custom === undefined ? members : { ...members, custom_attributes: custom };
}
