/** Schemas of guards, which hold the removals of runs and of identity providers. */
import {
  arrayOf,
  type Examples,
  integer,
  object,
  record,
  type Schemas,
  text,
  number,
  orNull,
} from '@gatehouse/nest-kit/openapi';

export const ratio = (description: string) => number(description, { minimum: 0, maximum: 1 });
export const NAMES = (description: string) => arrayOf(text(), { description, maxItems: 1_000 });

const GUARD: Schemas = {
  max_delete_ratio: orNull(
    ratio('The part of the users, or of the groups, that may be removed in a window.'),
  ),
  max_deletes: orNull(integer('How many users, or groups, may be removed in a window.')),
  protected_groups: NAMES('Groups, by name, that are not deleted or emptied without a decision.'),
  protected_roles: NAMES(
    'Roles by the role mapping that do not lose their last active user without a decision.',
  ),
  window_seconds: integer('The length of a window, which begins with the first removal.', {
    minimum: 60,
    maximum: 30 * 86_400,
  }),
};

export const GUARD_SCHEMAS: Schemas = { Guard: record(GUARD), GuardChanges: object(GUARD) };

const EXAMPLE = {
  max_delete_ratio: 0.2,
  max_deletes: null,
  protected_groups: ['Administrators'],
  protected_roles: ['admin'],
  window_seconds: 86_400,
};

export const GUARD_EXAMPLES: Examples = {
  Guard: EXAMPLE,
  GuardChanges: { max_delete_ratio: 0.2, protected_groups: ['Administrators'] },
};
