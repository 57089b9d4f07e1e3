import { exactObject, type JsonSchema, TIME, UUID } from './json-schema.js';

/** An event as the log lists it and as webhooks deliver it. */
export interface LoggedEvent<Type extends string = string, Data extends object = object> {
  event: Type;
  data: Data;
  id: string;
  /** Ascending in the log of the service, with gaps. */
  sequence: number;
  created_at: string;
}

/** @returns the schema of events of this type with such data */
export function loggedEventSchema(type: string, data: JsonSchema): JsonSchema {
  return exactObject({
    event: { const: type },
    data,
    id: UUID,
    sequence: { type: 'integer', minimum: 1 },
    created_at: TIME,
  });
}
