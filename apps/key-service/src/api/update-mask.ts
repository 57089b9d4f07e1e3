/** Update masks (AIP-134): the fields that a PATCH sets. */
import { invalidField } from '@gatehouse/kit/input';

const MASK_CHARACTERS_MAX = 1024;

/**
 * The fields of a mask such as `name,rateLimitPolicy`; `*` means all mutable fields. Undefined
 * without a mask: every populated field of the body counts.
 *
 * @throws DomainError for an unknown, immutable or nested name
 */
export function parseUpdateMask<Field extends string>(
  mask: unknown,
  mutable: readonly Field[],
): ReadonlySet<Field> | undefined {
  if (mask === undefined || mask === '') return undefined;
  if (typeof mask !== 'string' || mask.length > MASK_CHARACTERS_MAX) {
    throw invalidField('update_mask', 'must be one comma-separated list');
  }
  const names = mask.split(',').map((name) => name.trim());
  if (names.length === 1 && names[0] === '*') return new Set(mutable);
  return new Set(
    names.map((name) => {
      const field = mutable.find((each) => each === name || camelCaseOf(each) === name);
      if (field !== undefined) return field;
      throw invalidField('update_mask', `must list only fields among ${mutable.join(', ')}`);
    }),
  );
}

function camelCaseOf(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
