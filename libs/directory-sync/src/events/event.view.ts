import { deriveRoles, isObject, type JsonObject, type JsonValue, sameJson } from '@gatehouse/scim';
import { customAttributes } from '../directories/custom-attributes.js';
import { type DirectoryEvent, type EventRow } from './event.types.js';

/** The members of a directory that every event needs. */
export interface EventSource {
  id: string;
  tenant: string;
  product: string;
  attributeMapping: Record<string, string> | null;
}

/**
 * The payload of an event. What is derived from the resource of a user is added here: `roles`, and
 * `custom_attributes` by the attribute mapping of the directory.
 */
export function eventPayload(row: EventRow, source: EventSource): DirectoryEvent {
  const { data, previous } = hasUser(row) ? userMembers(row, source.attributeMapping) : row;
  return {
    event: row.type,
    tenant: source.tenant,
    product: source.product,
    directory_id: source.id,
    data,
    id: row.id,
    sequence: Number(row.sequence),
    created_at: row.createdAt.toISOString(),
    ...(previous && { previous }),
  };
}

/** Whether `data` contains the resource of a user. */
function hasUser({ type, data }: EventRow): boolean {
  return (type.startsWith('user.') || type.startsWith('group.user_')) && isObject(data.raw);
}

type Members = Pick<EventRow, 'data' | 'previous'>;
type Mapping = EventSource['attributeMapping'];

/**
 * Adds derived members to `data`, and to `previous` those that have changed. Roles by a role mapping are
 * in `data` already, and take the place of those that the provider sends.
 */
function userMembers({ data, previous }: Members, mapping: Mapping): Members {
  const isMapped = data.roles !== undefined;
  const now = derivedMembers(data.raw, mapping, isMapped);
  const shown = { ...data, ...now, raw: shownRaw(data.raw) };
  if (previous === null) return { data: shown, previous };
  const old = derivedMembers(previous.raw, mapping, isMapped);
  const changed = Object.keys({ ...now, ...old }).filter((name) => !sameJson(old[name], now[name]));
  const before = Object.fromEntries(changed.map((name) => [name, old[name] ?? []]));
  return { data: shown, previous: { ...previous, raw: shownRaw(previous.raw), ...before } };
}

function derivedMembers(
  raw: JsonValue | undefined,
  mapping: Mapping,
  isMapped: boolean,
): JsonObject {
  const roles = !isMapped && isObject(raw) ? deriveRoles(raw) : undefined;
  const custom = customAttributes(raw, mapping);
  return { ...(roles && { roles }), ...(custom && { custom_attributes: custom }) };
}

/** The resource with the groups that the provider has sent. */
function shownRaw(raw: JsonValue | undefined): JsonValue | undefined {
  return isObject(raw) ? { ...raw, groups: Array.isArray(raw.groups) ? raw.groups : [] } : raw;
}
