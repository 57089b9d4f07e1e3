import { Client } from 'pg';

/**
 * A little more than the server gives a statement, so that only a server, or a path to it, that
 * died without a word takes that long.
 */
const ANSWER_TIMEOUT_MS = 17_000;
/** The message of pg when an answer took longer than `query_timeout`. */
const TIMED_OUT = 'Query read timeout';

/**
 * A connection whose loss is a fault of its statement and of nothing else, and that is closed when
 * an answer does not come in time. pg would leave the statement waiting on it and the pool would
 * give it to the next one, until TCP gives up: after a failover that is a quarter of an hour in
 * which a pool of dead connections serves nobody.
 */
export class BoundedClient extends Client {
  constructor(...options: ConstructorParameters<typeof Client>) {
    super(...options);
    // A connection that is lost fails its statement, and is not used again, and emits this as well:
    // unheard, in the midst of a transaction, it would end the process. The pool hears idle ones.
    this.on('error', () => undefined);
    const query = this.query.bind(this) as (...values: unknown[]) => unknown;
    this.query = ((...values: unknown[]) => {
      const result = query(...values);
      if (result instanceof Promise) result.catch((error: Error) => this.closeAfter(error));
      return result;
    }) as Client['query'];
  }

  private closeAfter({ message }: Error): void {
    if (message === TIMED_OUT) void this.end();
  }
}

/** The settings of a pool whose statements end in time, each one or its connection. */
export const BOUNDED_POOL = { Client: BoundedClient, query_timeout: ANSWER_TIMEOUT_MS };
