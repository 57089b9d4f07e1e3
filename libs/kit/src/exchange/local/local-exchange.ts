import { type Exchange } from '../exchange.js';
import { LOCAL_COUNTERS } from './local-counters.js';
import { LocalMessages, LocalServices } from './local-messages.js';
import { PostgresQueues } from './postgres-queues.js';

/** The exchanges of the services of one process that has no Redis. Only one process may use a database so. */
export class LocalExchanges {
  private readonly services = new LocalServices();
  private readonly queues: PostgresQueues;

  /** @param databaseUrl of PostgreSQL itself, not of a pooler */
  constructor(databaseUrl: string) {
    this.queues = new PostgresQueues(databaseUrl);
  }

  /** The exchange of a service. */
  of(service: string): Exchange {
    const messages = new LocalMessages(this.services, service);
    return {
      messages,
      counters: LOCAL_COUNTERS,
      queues: this.queues,
      probes: [],
      close: () => messages.stop(),
    };
  }

  /** After all exchanges. */
  close(): Promise<void> {
    return this.queues.close();
  }
}
