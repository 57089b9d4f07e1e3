import { type ScimScope } from './scim.types.js';

/** Reading, changing and writing a resource takes about a microsecond for each four bytes. */
const BYTES_PER_UNIT = 4;

/** The work that a stored resource of this size causes, in the unit of `PatchBudget`. */
export function workOf({ bytes }: { bytes: number }): number {
  return bytes / BYTES_PER_UNIT;
}

/** @throws ScimError 413 if the work of a bulk request is used up */
export function spendOn<Row extends { bytes: number }>({ call }: ScimScope, row: Row): Row {
  call.budget?.spend(workOf(row));
  return row;
}
