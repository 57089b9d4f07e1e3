import { type ControlScope, coversScope } from '@gatehouse/schemas';
import { type Role } from '../roles.js';

/** A person who is signed in. */
export interface Session {
  readonly sessionId: string;
  readonly cookieSha256: Buffer;
  readonly csrfKey: Buffer;
  /** What audit events and lists call the person. */
  readonly name: string;
  readonly role: Role;
  readonly scopes: readonly string[];
  /** The key that was issued for this session; null if the person signed in with an own one. */
  readonly keyId: string | null;
  /** Sealed: the key that the console calls the services with. */
  readonly credential: string;
  /** Sealed: what ends the session at the identity provider, too. */
  readonly idToken: string | null;
  readonly createTime: Date;
  readonly seenTime: Date;
  readonly expireTime: Date;
}

/** Whether the services let the person do what needs this scope. */
export function may({ scopes }: Pick<Session, 'scopes'>, scope: ControlScope): boolean {
  return coversScope(scopes, scope);
}
