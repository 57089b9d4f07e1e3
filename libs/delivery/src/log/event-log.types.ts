/** A row of the event log. `Type` is the set of event types of the owner. */
export interface StoredEvent<Type extends string = string> {
  id: string;
  /** A bigint, which pg returns as text. */
  sequence: string;
  type: Type;
  data: object;
  previous: object | null;
  createdAt: Date;
}

/** An event with the source that it is about, such as a directory. */
export interface SourcedEvent<Type extends string = string> extends StoredEvent<Type> {
  sourceId: string;
}

/**
 * The source of events about the delivery itself, such as `webhook.failing`. Its endpoint is the
 * operations endpoint.
 */
export const OPERATIONS_SOURCE = '00000000-0000-4000-8000-000000000001';
