import { InputReader, millisecondsOf } from '@gatehouse/service-kit';
import { DIRECTORY_EVENTS, type DirectoryEventType } from '@gatehouse/schemas';

const TEXT = { max: 512 };

/** A part of the log to send again. */
export interface EventReplay {
  /** The id of the event after which it begins. */
  after?: string;
  /** Or the time at which it begins, as in RFC 3339. */
  from_time?: string;
  /** The time at which it ends; now by default. */
  until?: string;
  /** By default all that the endpoint takes. */
  types?: string[];
}

/** @throws DomainError 400 */
export function readReplay(range: EventReplay) {
  const input = InputReader.of(range, { unknown: 'refuse' });
  const after = input.text('after', TEXT) || undefined;
  const from = timeOf(input, 'from_time');
  const until = timeOf(input, 'until');
  const types = typesOf(input, 'types');
  if ((after === undefined) === (from === undefined)) {
    input.addViolation('after', 'give either after or from_time', undefined);
  }
  input.throwIfInvalid();
  return { after, from, until, types: types.length > 0 ? types : null };
}

function timeOf(input: InputReader, name: string): Date | undefined {
  const text = input.text(name, TEXT);
  if (text === '') return undefined;
  const milliseconds = millisecondsOf(text);
  return Number.isNaN(milliseconds)
    ? input.addViolation(name, 'must be a time such as 2026-11-20T08:00:00Z', undefined)
    : new Date(milliseconds);
}

function typesOf(input: InputReader, name: string): DirectoryEventType[] {
  const known: readonly unknown[] = DIRECTORY_EVENTS;
  return input.list(name, { max: DIRECTORY_EVENTS.length }).map((type, index) => {
    if (known.includes(type)) return type as DirectoryEventType;
    return input.addViolation(
      `${name}[${index}]`,
      `must be one of ${DIRECTORY_EVENTS.join(', ')}`,
      'user.created',
    );
  });
}
