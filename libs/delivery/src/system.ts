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
}

export type SealedEndpointColumn = 'secret' | 'headers';

/** A logger for problems that no result reports; a pino logger fits. */
export interface DeliveryLogger {
  warn(fields: object, message: string): void;
}
