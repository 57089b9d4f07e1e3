import { invalidField } from '@gatehouse/service-kit';
import { isUuid } from '../database/uuid.js';
import { scopeText } from '../management/directory.input.js';

/** Whose users or groups are meant: those of a tenant and product, of one directory, or both. */
export interface ScopeFilter {
  tenant: string | null;
  product: string | null;
  directoryId: string | null;
}

/** The condition of a ScopeFilter on a directory `d`; its values are `$1` to `$3`. */
export const SCOPE_CONDITION = `d.deleted_at IS NULL
  AND ($1::text IS NULL OR d.tenant = $1) AND ($2::text IS NULL OR d.product = $2)
  AND ($3::uuid IS NULL OR d.id = $3)`;

/**
 * The ids of the newest rows that a table has in a ScopeFilter, `$4` left out and `$5` at most. Each
 * directory gives its newest from the key, so that a page never reads what it does not show.
 */
export const newestIds = (table: 'users' | 'groups') =>
  `SELECT newest.id FROM dsync.directories d
    CROSS JOIN LATERAL (SELECT r.id FROM dsync.${table} r
      WHERE r.directory_id = d.id ORDER BY r.id DESC LIMIT $4::bigint + $5::bigint) newest
    WHERE ${SCOPE_CONDITION}
    ORDER BY newest.id DESC OFFSET $4 LIMIT $5`;

/**
 * Whether a row found by its id is one of the directory `$1`. Written so that no index serves it:
 * the row is looked up by id, never among all rows of a directory (ADR 0022).
 */
export const inDirectory = (alias: string) => `(${alias}.directory_id = $1) IS TRUE`;

export const NO_DIRECTORY = '00000000-0000-0000-0000-000000000000';

/** Checks a scope; an id that is none stands for a directory that nobody has. Throws 400. */
export function scopeFilter(scope: {
  tenant?: string;
  product?: string;
  directoryId?: string;
}): ScopeFilter {
  const { tenant, product, directoryId } = scope ?? {};
  const hasDirectory = directoryId !== undefined && directoryId !== null && directoryId !== '';
  if (!hasDirectory && (!tenant || !product)) {
    throw invalidField('tenant', 'tenant and product, or directoryId, are required');
  }
  return {
    tenant: tenant ? scopeText(tenant, 'tenant') : null,
    product: product ? scopeText(product, 'product') : null,
    directoryId: hasDirectory ? (isUuid(directoryId) ? directoryId : NO_DIRECTORY) : null,
  };
}

export function scopeValues({ tenant, product, directoryId }: ScopeFilter): unknown[] {
  return [tenant, product, directoryId];
}
