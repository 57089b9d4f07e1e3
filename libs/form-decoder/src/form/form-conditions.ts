import { escapeSegment } from '../model/field-names.js';
import { type Location } from '../schema/location.js';
import { type Validator } from '../validate/validator.js';

/** A field applies if the field `name` has one of `values`. */
export interface Condition {
  name: string;
  values: string[];
}

/** When a property applies that only branches of a discriminated union declare. */
export function conditionsOf(
  location: Location,
  name: string,
  validator: Validator,
): Map<string, Condition> {
  const conditions = new Map<string, Condition>();
  const always = new Set(location.main.flatMap((node) => [...(node.properties?.keys() ?? [])]));
  for (const union of location.unions) {
    const discriminator = validator.discriminatorsOf(union)[0];
    if (discriminator === undefined) continue;
    const segment = escapeSegment(discriminator.property);
    union.branches.forEach((branch, index) => {
      const values = (discriminator.members[index] ?? []).map((member) =>
        typeof member === 'string' ? member : JSON.stringify(member),
      );
      for (const property of location.alone(branch).propertyNames) {
        if (always.has(property) || property === discriminator.property) continue;
        const known = conditions.get(property);
        if (known !== undefined) {
          known.values.push(...values);
        } else {
          conditions.set(property, { name: name === '' ? segment : `${name}.${segment}`, values });
        }
      }
    });
  }
  return conditions;
}
