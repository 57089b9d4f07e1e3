/** Compares every event that a test sees with the catalogues of the services. */
import {
  DIRECTORY_EVENT_CATALOGUE,
  eventsOf,
  IDENTITY_EVENT_CATALOGUE,
  KEY_EVENT_CATALOGUE,
} from '@gatehouse/schemas';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

export interface SeenEvent {
  event: string;
  data: object;
}

const ajv = new Ajv2020({ allowUnionTypes: true, allErrors: true });
addFormats.default(ajv);

const CATALOGUES = [DIRECTORY_EVENT_CATALOGUE, IDENTITY_EVENT_CATALOGUE, KEY_EVENT_CATALOGUE];
const VALIDATORS = new Map(
  CATALOGUES.flatMap((catalogue) => Object.entries(eventsOf(catalogue))).map(
    ([type, { schema }]): [string, ValidateFunction] => [type, ajv.compile(schema)],
  ),
);

/** @throws when no catalogue has the type, or when the event does not match its schema */
export function checkEvent(event: Readonly<SeenEvent>): void {
  const { event: type } = event;
  const validate = VALIDATORS.get(type);
  if (validate === undefined) throw new Error(`no catalogue has ${type}`);
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
