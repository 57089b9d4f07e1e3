/** Reads which part of a log is sent again. Violations stay in the reader. */
import { type InputReader, millisecondsOf } from '@gatehouse/kit/input';
import { readTypes } from '../endpoints/endpoint.input.js';

const TEXT = { max: 64 };

/** A part of the log to send again, as an API receives it. */
export interface EventReplay {
  /** The id of the event after which it begins. */
  after?: string;
  /** The time at which it begins (RFC 3339), instead of `after`. */
  from_time?: string;
  /** The time at which it ends; now by default. */
  until?: string;
  /** By default all that the endpoint takes. */
  types?: string[];
  /** By default all endpoints. */
  endpoint_id?: string;
}

export interface ReplayRequest {
  /** The id of an event; undefined: begins at `from`. */
  after: string | undefined;
  from: Date | undefined;
  until: Date | undefined;
  types: readonly string[] | null;
  endpointId: string | undefined;
}

/** @param known every event type of the system */
export function readReplay(input: InputReader, known: readonly string[]): ReplayRequest {
  input.nullable(['types']);
  const after = input.optionalText('after', TEXT);
  const from = readTime(input, 'from_time');
  const until = readTime(input, 'until');
  const hasTime = input.raw('from_time') !== undefined;
  if ((input.raw('after') !== undefined) === hasTime) {
    input.addViolation('after', 'must be set, or from_time, but not both', undefined);
  }
  if (from && until && until <= from) {
    input.addViolation('until', 'must be later than from_time', undefined);
  }
  const endpointId = input.optionalText('endpoint_id', TEXT);
  return { after, from, until, types: readTypes(input, known), endpointId };
}

/** A request as it is audited. */
export function replayDetails({ after, from, until, types, endpointId }: ReplayRequest) {
  return {
    ...(after !== undefined && { after }),
    ...(from && { from_time: from.toISOString() }),
    ...(until && { until: until.toISOString() }),
    ...(types && { types: [...types] }),
    ...(endpointId !== undefined && { endpoint_id: endpointId }),
  };
}

/** A time in RFC 3339; undefined if it is not given, or wrong. */
export function readTime(input: InputReader, name: string): Date | undefined {
  const text = input.optionalText(name, TEXT);
  if (text === undefined) return undefined;
  const milliseconds = millisecondsOf(text);
  return Number.isNaN(milliseconds)
    ? input.addViolation(name, 'must be a time such as 2026-11-20T08:00:00Z', undefined)
    : new Date(milliseconds);
}
