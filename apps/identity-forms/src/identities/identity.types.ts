import { type IdentityEventPayload, type IdentityEventType } from '@gatehouse/schemas';

/** A person: traits that fitted the named version of the schema when they were written. */
export interface Identity {
  /** UUID v7: newer is greater. */
  id: string;
  schemaId: string;
  schemaVersion: number;
  traits: Record<string, unknown>;
  createdAt: Date;
  /** Greater after every change, so that a change is seen by comparing it. */
  updatedAt: Date;
}

/** A change of an identity or an attempt to sign up as it again, stored in the transaction of the change itself. */
export interface IdentityEvent {
  id: string;
  type: IdentityEventType;
  identityId: string;
  payload: IdentityEventPayload;
  createdAt: Date;
}

/** The result of a write; `event` is published after the commit. */
export interface WrittenIdentity {
  identity: Identity;
  event: IdentityEvent;
}
