/** Compares every event that a test sees with the catalogs of the services. */
import {
  DIRECTORY_EVENT_CATALOG,
  eventsOf,
  IDENTITY_EVENT_CATALOG,
  KEY_EVENT_CATALOG,
} from '@gatehouse/schemas';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

export interface SeenEvent {
  event: string;
  data: object;
}

const ajv = new Ajv2020({ allowUnionTypes: true, allErrors: true });
addFormats.default(ajv);

const CATALOGS = [DIRECTORY_EVENT_CATALOG, IDENTITY_EVENT_CATALOG, KEY_EVENT_CATALOG];
const VALIDATORS = new Map(
  CATALOGS.flatMap((catalog) => Object.entries(eventsOf(catalog))).map(
    ([type, { schema }]): [string, ValidateFunction] => [type, ajv.compile(schema)],
  ),
);

/** @throws when no catalog has the type, or when the event does not match its schema */
export function checkEvent(event: Readonly<SeenEvent>): void {
  const { event: type } = event;
  const validate = VALIDATORS.get(type);
  if (validate === undefined) throw new Error(`no catalog has ${type}`);
  if (!validate(event)) throw new Error(`${type}: ${ajv.errorsText(validate.errors)}`);
}

/**
 * Checks the events in a JSON value, such as the body of an answer. The state of an event in the log
 * is no part of it.
 *
 * @throws as `checkEvent`
 */
export function checkEventsIn(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (!isEvent(value)) {
    Object.values(value).forEach(checkEventsIn);
    return;
  }
  const event: Partial<Record<string, unknown>> & SeenEvent = { ...value };
  delete event.state;
  delete event.attempts;
  checkEvent(event);
}

function isEvent(value: object): value is SeenEvent & Readonly<Record<string, unknown>> {
  const { event, id, data } = value as Partial<Record<string, unknown>>;
  return typeof event === 'string' && typeof id === 'string' && typeof data === 'object';
}
