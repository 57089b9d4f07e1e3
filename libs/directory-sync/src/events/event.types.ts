import { type StoredEvent } from '@gatehouse/delivery';
import { type DirectoryEventType } from '@gatehouse/schemas';
import { type JsonObject } from '@gatehouse/scim';

/** A row of the event log. */
export interface EventRow extends StoredEvent<DirectoryEventType> {
  data: JsonObject;
  previous: JsonObject | null;
}

/** An event in webhooks, callbacks and the event log, with its members in this order. */
export interface DirectoryEvent {
  event: DirectoryEventType;
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
