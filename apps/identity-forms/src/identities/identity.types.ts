import { type IdentityEventPayload } from '@gatehouse/schemas';

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

/** The result of a write; `event` is announced after the commit. */
export interface WrittenIdentity {
  identity: Identity;
  /** None if nothing has changed. */
  event?: IdentityEventPayload;
}
