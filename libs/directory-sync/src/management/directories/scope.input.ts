import { isUuid } from '@gatehouse/kit/ids';
import { InputReader, invalidField } from '@gatehouse/kit/input';
import { NO_DIRECTORY, type ScopeFilter } from '../../directories/directory.sql.js';
import { violationMessage } from '../body.input.js';
import { scopeText } from './directory.input.js';

/** The directories an operation covers: those of a tenant and product, one by id, or both. */
export interface Scope {
  tenant?: string;
  product?: string;
  directoryId?: string;
}

/**
 * Reads a scope. A directory id that is not a UUID matches no directory.
 *
 * @throws DomainError 400 without a directory and without both tenant and product, or the tenant alone if
 *   it does for the operation
 */
export function scopeFilter(scope: Scope, needsProduct = true): ScopeFilter {
  const { tenant, product, directoryId } = scope ?? {};
  const hasDirectory = directoryId !== undefined && directoryId !== null && directoryId !== '';
  if (!hasDirectory && (!tenant || (needsProduct && !product))) {
    throw invalidField('tenant', 'tenant and product, or directoryId, are required');
  }
  const input = InputReader.of(scope, { message: violationMessage });
  const filter = {
    tenant: tenant ? scopeText(input, 'tenant') : null,
    product: product ? scopeText(input, 'product') : null,
    directoryId: hasDirectory ? (isUuid(directoryId) ? directoryId : NO_DIRECTORY) : null,
  };
  input.throwIfInvalid();
  return filter;
}

/** Adds a directory to a scope; undefined or empty adds nothing. */
export function narrowed(scope: ScopeFilter, directoryId: string | undefined): ScopeFilter {
  if (directoryId === undefined || directoryId === '') return scope;
  return { ...scope, directoryId: scopeFilter({ directoryId }).directoryId };
}
