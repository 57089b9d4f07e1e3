/**
 * The events that a service sends. What it serves about them, what the documentation lists and what
 * the tests compare events with all come from here.
 */
import { type JsonSchema } from './json-schema.js';
import { loggedEventSchema, PING } from './logged-event.js';

export interface EventKind {
  /** When it is sent. */
  readonly summary: string;
  /** Schema of the whole event, without the array of a batch. */
  readonly schema: JsonSchema;
}

/** Events that the same endpoints receive. */
export interface EventChannel {
  readonly title: string;
  readonly description: string;
  readonly events: Readonly<Record<string, EventKind>>;
}

export interface EventCatalog {
  readonly title: string;
  /** By a name for programs. */
  readonly channels: Readonly<Record<string, EventChannel>>;
}

/** When events of a type are sent, and their `data`. */
export type Logged = readonly [summary: string, data: JsonSchema];

/** The events of a log whose members are those of `LoggedEvent`, by type. */
export function loggedEvents(events: Readonly<Record<string, Logged>>): EventChannel['events'] {
  return Object.fromEntries(
    Object.entries(events).map(([type, [summary, data]]) => [
      type,
      { summary, schema: loggedEventSchema(type, data) },
    ]),
  );
}

/** Every endpoint receives it. */
export const PING_EVENTS = {
  'webhook.ping': { summary: 'An endpoint is tested. Not in the log', schema: PING },
} as const satisfies EventChannel['events'];

/** Events of all channels by type, and the ping. */
export function eventsOf({ channels }: EventCatalog): EventChannel['events'] {
  const events = Object.values(channels).map((channel) => channel.events);
  return Object.assign({}, ...events, PING_EVENTS) as EventChannel['events'];
}

/** The JSON Schemas of all types: one that accepts every event, with a definition for each type. */
export function catalogSchema(catalog: EventCatalog): JsonSchema {
  const events = Object.entries(eventsOf(catalog));
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: catalog.title,
    oneOf: events.map(([type]) => ({ $ref: `#/$defs/${type}` })),
    $defs: Object.fromEntries(
      events.map(([type, { summary, schema }]) => [type, { description: summary, ...schema }]),
    ),
  };
}
