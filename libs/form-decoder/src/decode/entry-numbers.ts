import { type JsonValue } from '../model/form-decoder.types.js';

/** The entries of lists that were sent by number, as in `rows.2.name`. */
const known = new WeakMap<readonly JsonValue[], readonly number[]>();

/**
 * The numbers under which the entries of a list were sent, which leave gaps where rows were removed
 * or blank. Undefined for a list that was sent otherwise.
 */
export function entryNumbers(list: readonly JsonValue[]): readonly number[] | undefined {
  return known.get(list);
}

/** The list, with the number of each of its entries. */
export function numbered(list: JsonValue[], numbers: readonly number[] | undefined): JsonValue[] {
  if (numbers !== undefined) known.set(list, numbers);
  return list;
}
