import { type StoredEvent } from './log/event-log.types.js';

/** The parts that a service provides so that its events are delivered. */
export interface DeliverySystem {
  /** The schema of the tables, see `createDeliveryTables`. It also names the system in queues. */
  readonly schema: string;

  /**
   * The bodies of events of one source, in the same order. Null if the source takes no deliveries, for
   * example because it is deactivated.
   *
   * @param source what `addLaneClaims` reads of the source
   */
  payloads(
    sourceId: string,
    events: readonly StoredEvent[],
    source: unknown,
  ): readonly object[] | null;

  /** Seals a text for an endpoint, as the owner does. */
  seal(endpointId: string, column: SealedEndpointColumn, text: string): string;

  /** Opens what was sealed for an endpoint. */
  open(endpointId: string, column: SealedEndpointColumn, sealed: string): string;

  /** Takes the events of KEY_SERVICE_ENDPOINT. */
  readonly internal?: InternalReceiver;
}

/**
 * A receiver within the stack. Its lane is tried soon and without end after a failure: it is never paused,
 * and parks no event. Its attempts are not logged.
 */
export interface InternalReceiver {
  /**
   * Takes events of one source, in sequence; perhaps again.
   *
   * @throws if they have to be sent again
   */
  deliver(sourceId: string, events: readonly StoredEvent[]): Promise<void>;
}

export type SealedEndpointColumn = 'secret' | 'headers';

/** A logger for problems that no result reports; a pino logger fits. */
export interface DeliveryLogger {
  warn(fields: object, message: string): void;
}
