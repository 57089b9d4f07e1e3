/** Update masks (AIP-134): the fields that a PATCH sets. */
import { invalidField } from './input.js';

export const MUTABLE_FIELDS = [
  'name',
  'scopes',
  'metadata',
  'rate_limit_policy',
  'ip_restriction',
] as const;
export type MutableField = (typeof MUTABLE_FIELDS)[number];

const MASK_CHARACTERS_MAX = 1024;
const FIELD_BY_NAME = new Map<string, MutableField>([
  ...MUTABLE_FIELDS.map((field) => [field, field] as const),
  ['rateLimitPolicy', 'rate_limit_policy'],
  ['ipRestriction', 'ip_restriction'],
]);

/**
 * The fields of a mask such as `name,rateLimitPolicy`; `*` means all mutable fields. Undefined
 * without a mask: every populated field of the body counts.
 *
 * @throws DomainError for an unknown, immutable or nested name
 */
export function parseUpdateMask(mask: unknown): ReadonlySet<MutableField> | undefined {
  if (mask === undefined || mask === '') return undefined;
  if (typeof mask !== 'string' || mask.length > MASK_CHARACTERS_MAX) {
    throw invalidField('update_mask', 'must be one comma-separated list');
  }
  const names = mask.split(',').map((name) => name.trim());
  if (names.length === 1 && names[0] === '*') return new Set(MUTABLE_FIELDS);
  return new Set(
    names.map((name) => {
      const field = FIELD_BY_NAME.get(name);
      if (field !== undefined) return field;
      throw invalidField('update_mask', `must list fields out of ${MUTABLE_FIELDS.join(', ')}`);
    }),
  );
}
