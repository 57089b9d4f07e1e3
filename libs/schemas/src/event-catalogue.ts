import { exactObject, type JsonSchema, TIME, UUID } from './json-schema.js';

/** Sent by the test of an endpoint. It is not in the log. */
const PING = exactObject({
  event: { const: 'webhook.ping' },
  data: exactObject({ endpoint_id: UUID }),
  id: UUID,
  created_at: TIME,
});

/**
 * The catalogue of the webhooks of a service: one JSON Schema that accepts all of them, with a
 * definition for each type.
 */
export function eventCatalogue(
  title: string,
  schemas: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  const definitions = { ...schemas, 'webhook.ping': PING };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title,
    oneOf: Object.keys(definitions).map((type) => ({ $ref: `#/$defs/${type}` })),
    $defs: definitions,
  };
}
