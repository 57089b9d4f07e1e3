import { Client, type ClientConfig } from 'pg';

/**
 * A little more than the server gives a statement, so that only a server, or a path to it, that
 * died without a word takes that long.
 */
const ANSWER_TIMEOUT_MS = 17_000;
const LOOK_EVERY_MS = 500;

/** What a statement, and a pool for all of its statements, may say beside what pg knows. */
export interface AnswerBounds {
  /** Milliseconds for the answer; up to half a second more pass before the connection is closed. */
  readonly answerTimeoutMs?: number;
}

/**
 * A connection whose loss is a fault of its statement and of nothing else, and that is closed when
 * an answer does not come in time. pg would leave the statement waiting on it and the pool would
 * give it to the next one, until TCP gives up: after a failover that is a quarter of an hour in
 * which a pool of dead connections serves nobody.
 *
 * Looked at now and then: the `query_timeout` of pg sets a timer for each statement, and what these
 * hold, the rows among it, outlives the young generation.
 */
export class BoundedClient extends Client {
  private askedAtMs = 0;
  private timeoutMs = 0;
  private isWaiting = false;
  private nextLook: NodeJS.Timeout | undefined;

  constructor(bounds: ClientConfig & AnswerBounds = {}) {
    super(bounds);
    const { answerTimeoutMs = ANSWER_TIMEOUT_MS } = bounds;
    // A connection that is lost fails its statement, and is not used again, and emits this as well:
    // unheard, in the midst of a transaction, it would end the process. The pool hears idle ones.
    this.on('error', () => undefined);
    this.on('drain', () => {
      this.isWaiting = false;
    });
    const query = this.query.bind(this) as (...values: unknown[]) => unknown;
    this.query = ((...values: unknown[]) => {
      this.timeoutMs = (values[0] as AnswerBounds | null)?.answerTimeoutMs ?? answerTimeoutMs;
      this.askedAtMs = performance.now();
      this.isWaiting = true;
      this.nextLook ??= setTimeout(() => this.look(), LOOK_EVERY_MS).unref();
      return query(...values);
    }) as Client['query'];
  }

  private look(): void {
    this.nextLook = undefined;
    if (!this.isWaiting) return;
    if (performance.now() - this.askedAtMs < this.timeoutMs) {
      this.nextLook = setTimeout(() => this.look(), LOOK_EVERY_MS).unref();
      return;
    }
    this.isWaiting = false;
    const fault = new Error('PostgreSQL did not answer in time');
    this.connection.stream.destroy(Object.assign(fault, { code: 'ETIMEDOUT' }));
  }
}

/** The settings of a pool whose statements end in time, each one or its connection. */
export const BOUNDED_POOL = { Client: BoundedClient };
