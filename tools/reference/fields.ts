/** What a schema says, as rows. Texts are Markdown of one line: code between backticks, and links. */
import { nameOf, type Parameter, type Schema } from './document.js';

export interface Field {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly text: string;
  readonly fields: readonly Field[];
}

/** Sentences for the keywords of JSON Schema that limit a value. */
const LIMITS: Readonly<Record<string, (limit: unknown) => string>> = {
  default: (value) => `Default ${code(value)}.`,
  minimum: (limit) => `At least ${code(limit)}.`,
  maximum: (limit) => `At most ${code(limit)}.`,
  minLength: (limit) => (limit === 1 ? 'Not empty.' : `At least ${code(limit)} characters.`),
  maxLength: (limit) => `At most ${code(limit)} characters.`,
  minItems: (limit) => (limit === 1 ? 'Not empty.' : `At least ${code(limit)} items.`),
  maxItems: (limit) => `At most ${code(limit)} items.`,
  pattern: (pattern) => `Pattern ${code(pattern)}.`,
};

/** The members of an object, or of the objects of a list. */
export function fieldsOf({ properties, required = [], items }: Schema): Field[] {
  if (properties === undefined) return items === undefined ? [] : fieldsOf(items);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    type: typeOf(schema),
    isRequired: required.includes(name),
    text: textOf(schema),
    fields: fieldsOf(schema),
  }));
}

export function fieldOf({ name, in: place, required, description, schema }: Parameter): Field {
  return {
    name,
    type: `${typeOf(schema)} in the ${place}`,
    isRequired: required ?? false,
    text: textOf({ description, ...schema }),
    fields: [],
  };
}

/** With links to the schemas that have a name. */
export function typeOf({ $ref, type, format, items, anyOf, oneOf }: Schema): string {
  if ($ref !== undefined) return `[${nameOf($ref)}](#schema-${nameOf($ref)})`;
  const choices = anyOf ?? oneOf;
  if (choices !== undefined) return choices.map(typeOf).join(' or ');
  if (items !== undefined) return `array of ${typeOf(items)}`;
  const types = [type ?? 'any'].flat().join(' or ');
  return format === undefined ? types : `${types}, ${format}`;
}

/** Description, values and limits. */
export function textOf(schema: Schema): string {
  const { description, enum: values } = schema;
  const limits = Object.entries(LIMITS).flatMap(([keyword, sentence]) =>
    schema[keyword] === undefined ? [] : [sentence(schema[keyword])],
  );
  const choices = values === undefined ? [] : [`One of ${values.map(code).join(', ')}.`];
  return [...(description === undefined ? [] : [description]), ...choices, ...limits].join(' ');
}

function code(value: unknown): string {
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}
