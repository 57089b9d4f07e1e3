import { described, exactObject, type JsonSchema, TIME, UUID } from './json-schema.js';

/** An event as the log lists it and as webhooks deliver it. */
export interface LoggedEvent<Type extends string = string, Data extends object = object> {
  event: Type;
  data: Data;
  id: string;
  /** Ascending in the log of the service, with gaps. */
  sequence: number;
  created_at: string;
}

const ID = described(UUID, 'The same for every delivery of this event');

/** The members behind `data`. */
const ENVELOPE = {
  id: ID,
  sequence: described({ type: 'integer', minimum: 1 }, 'Ascending in the log, with gaps'),
  created_at: TIME,
};

interface Members {
  /** Between `event` and `data`. */
  readonly before?: Readonly<Record<string, JsonSchema>>;
  readonly after?: Readonly<Record<string, JsonSchema>>;
}

/** @returns the schema of events of this type with such data */
export function loggedEventSchema(
  type: string,
  data: JsonSchema,
  { before, after }: Members = {},
): JsonSchema {
  return exactObject({ event: { const: type }, ...before, data, ...ENVELOPE, ...after });
}

/** Sent by the test of an endpoint. It is not in the log. */
export const PING = exactObject({
  event: { const: 'webhook.ping' },
  data: exactObject({ endpoint_id: UUID }),
  id: ID,
  created_at: TIME,
});
