import { Client, type ClientConfig } from 'pg';

/**
 * Longer than the server's statement timeout, so it only ends statements whose server or network path
 * has failed silently.
 */
const ANSWER_TIMEOUT_MS = 17_000;
const CHECK_INTERVAL_MS = 500;

/** An additional option of statements, and of a pool for all of its statements. */
export interface AnswerBounds {
  /** Milliseconds until a connection without a response is closed; accurate to 500 ms. */
  readonly answerTimeoutMs?: number;
}

/**
 * A pg `Client` with a response timeout. A lost connection rejects its query and never emits an
 * unhandled 'error'. Without it, pg leaves the query waiting on a dead connection and the pool
 * reuses that connection, until TCP gives up: about 15 minutes after a failover.
 *
 * One periodic check replaces the `query_timeout` of pg, which sets a timer for each statement. The
 * timers keep result rows alive long enough to leave the young generation.
 */
export class BoundedClient extends Client {
  private askedAtMs = 0;
  private timeoutMs = 0;
  private isWaiting = false;
  private nextCheck: NodeJS.Timeout | undefined;

  constructor(bounds: ClientConfig & AnswerBounds = {}) {
    super(bounds);
    const { answerTimeoutMs = ANSWER_TIMEOUT_MS } = bounds;
    // A lost connection rejects its query and emits 'error' as well. Without a listener that ends
    // the process in the middle of a transaction; the pool listens on idle connections only.
    this.on('error', () => undefined);
    this.on('drain', () => {
      this.isWaiting = false;
    });
    const query = this.query.bind(this) as (...values: unknown[]) => unknown;
    this.query = ((...values: unknown[]) => {
      this.timeoutMs = (values[0] as AnswerBounds | null)?.answerTimeoutMs ?? answerTimeoutMs;
      this.askedAtMs = performance.now();
      this.isWaiting = true;
      this.nextCheck ??= setTimeout(() => this.check(), CHECK_INTERVAL_MS).unref();
      return query(...values);
    }) as Client['query'];
  }

  private check(): void {
    this.nextCheck = undefined;
    if (!this.isWaiting) {
      return;
    }
    if (performance.now() - this.askedAtMs < this.timeoutMs) {
      this.nextCheck = setTimeout(() => this.check(), CHECK_INTERVAL_MS).unref();
      return;
    }
    this.isWaiting = false;
    const fault = new Error('PostgreSQL did not answer in time');
    this.connection.stream.destroy(Object.assign(fault, { code: 'ETIMEDOUT' }));
  }
}

/** Pool options (`extra` of TypeORM) that use `BoundedClient` for every connection. */
export const BOUNDED_POOL = { Client: BoundedClient };
