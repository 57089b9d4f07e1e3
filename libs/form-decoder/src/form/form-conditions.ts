import { escapeSegment } from '../model/field-names.js';
import { textOfMember } from './labels.js';
import { flatten } from '../schema/location-facts.js';
import { type Location } from '../schema/location.js';
import { type Discriminator } from '../validate/discriminator.js';
import { type Validator } from '../validate/validator.js';

/** A field applies if the field `name` has one of `values`. */
export interface Condition {
  name: string;
  values: string[];
}

/** When a property applies that only branches of discriminated unions declare. */
export function conditionsOf(
  location: Location,
  name: string,
  validator: Validator,
): Map<string, Condition> {
  const conditions = new Map<string, Condition>();
  const discriminated = location.unions.filter(
    (union) => validator.discriminatorsOf(union).length > 0,
  );
  const branches = new Set(flatten(discriminated.flatMap((union) => union.branches)));
  const others = [...location.main, ...location.alt].filter((node) => !branches.has(node));
  const always = new Set(others.flatMap((node) => [...(node.properties?.keys() ?? [])]));
  for (const union of discriminated) {
    const discriminator = validator.discriminatorsOf(union)[0] as Discriminator;
    const segment = escapeSegment(discriminator.property);
    const field = name === '' ? segment : `${name}.${segment}`;
    union.branches.forEach((branch, index) => {
      const values = (discriminator.members[index] ?? []).map(textOfMember);
      for (const property of location.alone(branch).propertyNames) {
        if (always.has(property) || property === discriminator.property) continue;
        const known = conditions.get(property);
        if (known === undefined) {
          conditions.set(property, { name: field, values: [...values] });
        } else if (known.name === field) {
          known.values.push(...values);
        } else {
          // Two fields decide, which no single condition can say.
          conditions.delete(property);
          always.add(property);
        }
      }
    });
  }
  return conditions;
}
