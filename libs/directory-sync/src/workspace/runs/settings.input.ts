import { type InputReader } from '@gatehouse/kit/input';
import { DEFAULT_SETTINGS, type WorkspaceSettings } from './settings.types.js';

const NAMES_MAX = 1_000;
const NAME_CHARACTERS_MAX = 512;
/** Surrogates too: PostgreSQL stores no half of a pair. */
const CONTROL = /[\p{Cc}\p{Cs}]/u;

/** The settings that may be null. */
const LIMITS = ['max_delete_ratio', 'max_deletes', 'max_member_removal_ratio'];
const FIELDS = Object.keys(DEFAULT_SETTINGS) as (keyof WorkspaceSettings)[];

/** Reads the settings that were sent; null sets a limit back to its default. */
export function readSettings(input: InputReader): Partial<WorkspaceSettings> {
  input.allow(FIELDS);
  input.nullable(LIMITS);
  const sent = FIELDS.filter((field) => input.isPresent(field));
  return Object.fromEntries(sent.map((field) => [field, READ[field](input, field)]));
}

type Read = (input: InputReader, field: string) => WorkspaceSettings[keyof WorkspaceSettings];

const READ: Readonly<Record<keyof WorkspaceSettings, Read>> = {
  include_groups: namesOf,
  exclude_groups: namesOf,
  organizational_units: namesOf,
  flatten_groups: (input, field) => input.boolean(field) ?? false,
  max_delete_ratio: ratioOf,
  max_deletes: (input, field) => input.integer(field) ?? null,
  max_member_removal_ratio: ratioOf,
  protected_groups: namesOf,
};

export function namesOf(input: InputReader, field: string): string[] {
  const list = input.list(field, { max: NAMES_MAX });
  const isName = (value: unknown): value is string =>
    typeof value === 'string' &&
    value.trim() !== '' &&
    value.length <= NAME_CHARACTERS_MAX &&
    !CONTROL.test(value);
  if (list.every(isName)) return list.map((name) => name.trim());
  return input.addViolation(
    field,
    `must be texts of 1 to ${NAME_CHARACTERS_MAX} characters without control characters`,
    [],
  );
}

export function ratioOf(input: InputReader, field: string): number | null {
  const value = input.raw(field);
  if (value === undefined) return null;
  if (typeof value === 'number' && value >= 0 && value <= 1) return value;
  return input.addViolation(field, 'must be a number from 0 to 1', null);
}
