import type { JsonObject } from '@gatehouse/scim';

export type EventType =
  | 'user.created'
  | 'user.updated'
  | 'user.deleted'
  | 'group.created'
  | 'group.updated'
  | 'group.deleted'
  | 'group.user_added'
  | 'group.user_removed';

/** `not_sent`: only logged, because the directory had no live webhook at that time. */
export type EventState = 'pending' | 'delivered' | 'dead' | 'not_sent';

/** A row of the event log. */
export interface EventRow {
  id: string;
  /** A bigint, which pg returns as text. */
  sequence: string;
  type: EventType;
  data: JsonObject;
  previous: JsonObject | null;
  createdAt: Date;
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
