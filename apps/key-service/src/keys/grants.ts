import {
  type ControlScope,
  coversScope,
  isControlScope,
  type KeyVisibility,
} from '@gatehouse/schemas';
import { type DomainError } from '@gatehouse/kit/errors';
import { AdminDeniedError } from '@gatehouse/nest-kit/admin';
import { KeyErrors } from '../errors.js';
import { type KeyKind } from '../store/keys/key.types.js';
import { type CallContext } from '../api/call-context.js';
import { invalidField } from '@gatehouse/kit/input';

interface Grant {
  readonly kind: KeyKind;
  readonly visibility: KeyVisibility;
  /** The scopes that the key will have. */
  readonly scopes: readonly string[];
  /** The scopes that it has now; for a rotation, those of the old key. */
  readonly former?: readonly string[];
}

/**
 * Why a key may not get these scopes from this caller; undefined if it may. Control scopes belong to
 * issued secret keys. Only administrators of the key service may change a key that already has
 * one: rotating it would give the caller the secret of an administrator, and its address list and
 * limits protect other services.
 */
export function grantFault(
  { kind, visibility, scopes, former = [] }: Grant,
  { admin }: CallContext,
): DomainError | undefined {
  const wanted = scopes.findIndex(isControlScope);
  if (wanted !== -1 && (kind !== 'issued' || visibility !== 'KEY_VISIBILITY_SECRET')) {
    const message = 'is a control scope, which only issued keys with secret visibility can have';
    return invalidField(`scopes[${wanted}]`, message);
  }
  const controlled = [...scopes, ...former].filter(isControlScope);
  const needed = former.some(isControlScope) ? ['keys:admin' as const, ...controlled] : controlled;
  return needed.every((scope) => mayGrant(admin, scope))
    ? undefined
    : new AdminDeniedError(KeyErrors.CONTROL_SCOPE_NOT_GRANTED, admin);
}

/** @throws DomainError with the fault of the grant */
export function requireGrant(grant: Grant, context: CallContext): void {
  const fault = grantFault(grant, context);
  if (fault) throw fault;
}

function mayGrant(admin: CallContext['admin'], scope: ControlScope): boolean {
  if (admin?.kind === 'static-key') return true;
  return admin?.kind === 'issued-key' && coversScope(admin.scopes ?? [], scope);
}
