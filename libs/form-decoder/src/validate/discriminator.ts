import { type JsonValue } from '../model/form-decoder.types.js';
import { type LocationTable } from '../schema/location.js';
import { type SchemaUnion } from '../schema/schema-node.js';

/** A property whose value selects the branch of a union. */
export interface Discriminator {
  property: string;
  /** The values that select each branch; null if a branch does not restrict the property. */
  members: (readonly JsonValue[] | null)[];
}

/**
 * The discriminators of a union: properties for which at least two branches allow certain values
 * only, and no value is allowed by two of them.
 */
export function discriminatorsOf(union: SchemaUnion, table: LocationTable): Discriminator[] {
  const branches = union.branches.map((branch) => table.of([branch], []));
  const names = new Set(branches.flatMap((branch) => branch.propertyNames));
  const found: Discriminator[] = [];
  for (const property of names) {
    const members = branches.map((branch) => branch.property(property)?.members ?? null);
    const certain = members.filter((each) => each !== null);
    const all = certain.flat().map((member) => JSON.stringify(member));
    if (certain.length >= 2 && new Set(all).size === all.length) found.push({ property, members });
  }
  return found;
}
