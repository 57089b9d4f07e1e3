/** Requests with unknown members are refused, and the schemas of request bodies say so. */
import { type Schema, type Schemas } from './schema.js';

/**
 * The same schemas, with `additionalProperties: false` in those of request bodies that say nothing about other
 * members. What a response contains as well stays open, because responses may gain members.
 *
 * @param paths the operations, whose bodies and responses refer to the schemas
 */
export function closedRequests(
  schemas: Schemas,
  paths: Readonly<Record<string, Readonly<Record<string, object>>>>,
): Schemas {
  const operations = Object.values(paths).flatMap((item) => Object.values(item)) as {
    requestBody?: object;
    responses: object;
  }[];
  const sent = namesIn(
    operations.map(({ requestBody }) => requestBody),
    schemas,
  );
  const answered = namesIn(
    operations.map(({ responses }) => responses),
    schemas,
  );
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      sent.has(name) && !answered.has(name) ? closed(schema) : schema,
    ]),
  );
}

/** The names of the schemas that a part of the document refers to, directly or through others. */
function namesIn(part: unknown, schemas: Schemas, names = new Set<string>()): Set<string> {
  const references = JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g);
  for (const [, name = ''] of references) {
    if (names.has(name)) continue;
    names.add(name);
    namesIn(schemas[name], schemas, names);
  }
  return names;
}

function closed(schema: Schema): Schema {
  const { properties, items, additionalProperties = false } = schema;
  return {
    ...schema,
    ...(items && { items: closed(items) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, member]) => [name, closed(member)]),
      ),
      additionalProperties,
    }),
  };
}
