import { type StoredEvent } from '@gatehouse/delivery';
import { type JsonObject } from '@gatehouse/scim';

export const EVENT_TYPES = [
  'user.created',
  'user.updated',
  'user.deleted',
  'group.created',
  'group.updated',
  'group.deleted',
  'group.user_added',
  'group.user_removed',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

/** A row of the event log. */
export interface EventRow extends StoredEvent<EventType> {
  data: JsonObject;
  previous: JsonObject | null;
}

/** An event in webhooks, callbacks and the event log, with its members in this order. */
export interface DirectoryEvent {
  event: EventType;
  tenant: string;
  product: string;
  directory_id: string;
  data: JsonObject;
  id: string;
  sequence: number;
  created_at: string;
  /** On updates: the members of `data` that changed, with their previous values. */
  previous?: JsonObject;
}
