import { attribute, type AttributeDefinition } from './attribute.js';

/** The sub-attributes that RFC 7643 section 2.4 gives to multi-valued attributes, and their list. */

interface PluralOptions {
  canonicalTypes?: readonly string[];
  valueType?: 'string' | 'reference' | 'binary';
  referenceTypes?: readonly string[];
  caseExact?: boolean;
}

/** A multi-valued complex attribute of the shape value, display, type, primary. */
export function plural(
  name: string,
  thing: string,
  description: string,
  options: PluralOptions = {},
): AttributeDefinition {
  const { canonicalTypes, valueType = 'string', referenceTypes, caseExact = false } = options;
  return attribute(name, 'complex', description, {
    multiValued: true,
    subAttributes: [
      attribute('value', valueType, `The ${thing} itself.`, {
        caseExact: caseExact || valueType !== 'string',
        ...(referenceTypes === undefined ? {} : { referenceTypes }),
      }),
      attribute('display', 'string', `A name for the ${thing} that people can read.`),
      attribute('type', 'string', `What the ${thing} is used for.`, {
        ...(canonicalTypes === undefined ? {} : { canonicalValues: canonicalTypes }),
      }),
      attribute('primary', 'boolean', `True for the preferred ${thing}; at most one is.`),
    ],
  });
}
