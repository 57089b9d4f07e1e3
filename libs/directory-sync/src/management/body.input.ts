/** How the bodies of management operations are read, the same for all. */
import { type FieldViolation } from '@gatehouse/kit/errors';

export const NO_COLON = 'cannot contain the character :';

/** Refuses unknown members, and null where the API description does not say `nullable`. */
export const STRICT = { message: violationMessage, unknown: 'refuse', nulls: 'refuse' } as const;

/** The message of an error: `field: description`, except where the phrase is a sentence. */
export function violationMessage(violations: readonly FieldViolation[]): string {
  return violations
    .map(({ field, description }) => field + (description === NO_COLON ? ' ' : ': ') + description)
    .join('; ');
}
