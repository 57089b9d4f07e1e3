import { type DirectoryEvent, type EventOf, type EventPattern } from './directory-event.js';

/** Handles an event, and writes through the context of the store. The next event waits for it. */
export type Handler<Context, Pattern extends EventPattern = '*'> = (
  event: EventOf<Pattern>,
  context: Context,
) => unknown;

/** Prepares for the events of a snapshot, such as by `DELETE FROM people`. */
export type SnapshotHandler<Context> = (context: Context) => unknown;

/** A handler failed. The event is handled again, and later events wait for it. */
export class HandlerError extends Error {
  override readonly name = 'HandlerError';

  /** The event itself is personal data, which a log would show. */
  readonly eventId: string;

  constructor({ event, id }: DirectoryEvent, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`The handler of ${event} failed for event ${id}: ${reason}`, { cause });
    this.eventId = id;
  }
}

export class Handlers<Context> {
  readonly ofSnapshots: SnapshotHandler<Context>[] = [];
  readonly ofEvents: {
    pattern: EventPattern;
    handler: (event: never, context: Context) => unknown;
  }[] = [];

  /**
   * Runs the handlers of an event, one after the other.
   *
   * @throws HandlerError
   */
  async handle(event: DirectoryEvent, context: Context): Promise<void> {
    for (const { pattern, handler } of this.ofEvents) {
      if (!matches(pattern, event.event)) continue;
      try {
        await handler(event as never, context);
      } catch (error) {
        throw new HandlerError(event, error);
      }
    }
  }
}

function matches(pattern: EventPattern, type: string): boolean {
  return pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern;
}
