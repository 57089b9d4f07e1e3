import { type JsonValue, sameJson } from '@gatehouse/form-decoder';
import { type Identity } from './identity.types.js';

const NAMES_MAX = 100;
const NAME_CHARACTERS_MAX = 128;

/** The names of what differs between two states of an identity, such as `traits.email`. */
export function changedFields(before: Identity, after: Identity): string[] {
  const traits = Object.keys({ ...before.traits, ...after.traits })
    .filter((name) => !isSame(before.traits[name], after.traits[name]))
    .slice(0, NAMES_MAX)
    .map((name) => `traits.${name.slice(0, NAME_CHARACTERS_MAX)}`);
  return before.schemaVersion === after.schemaVersion ? traits : [...traits, 'schema_version'];
}

function isSame(before: unknown, after: unknown): boolean {
  return (
    before !== undefined && after !== undefined && sameJson(before as JsonValue, after as JsonValue)
  );
}
