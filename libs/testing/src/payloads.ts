import { type JsonSchema, PAYLOAD_SCHEMAS } from '@gatehouse/schemas';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

type PayloadKind = 'request' | 'reply' | 'event' | 'job';

const CATALOG: Readonly<Record<string, Partial<Record<PayloadKind, JsonSchema>>>> = PAYLOAD_SCHEMAS;

const ajv = new Ajv2020({ allowUnionTypes: true, allErrors: true });
addFormats.default(ajv);

/**
 * @param pattern a message pattern, an event type or a queue
 * @throws when the catalog has no such payload, or when the payload does not match its schema
 */
export function checkPayload(pattern: string, kind: PayloadKind, payload: unknown): void {
  const schema = CATALOG[pattern]?.[kind];
  if (schema === undefined) throw new Error(`No schema for the ${kind} of ${pattern}`);
  if (!ajv.validate(schema, payload)) {
    throw new Error(`The ${kind} of ${pattern}: ${ajv.errorsText()}`);
  }
}
