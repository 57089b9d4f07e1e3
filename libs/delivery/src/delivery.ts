import { randomUUID } from 'node:crypto';
import { OutboundClient, type OutboundPolicy } from '@gatehouse/kit/outbound';
import { type Sql } from '@gatehouse/kit/sql';
import { type EndpointKey } from './endpoints/endpoint.types.js';
import { Endpoints } from './endpoints/endpoints.js';
import { Lane, type LaneDependencies, type LaneSettings } from './lane/lane.js';
import { LaneRepository } from './lane/lane.repository.js';
import { Leases } from './lane/leases.js';
import { type Backlog, type LaneRun } from './lane/lane.types.js';
import { Sender } from './lane/sender.js';
import { SourceEndpoints } from './lane/source-endpoints.js';
import { OPERATIONS_SOURCE } from './log/event-log.types.js';
import { type DeliveryLogger, type DeliverySystem } from './system.js';

export interface DeliveryOptions {
  sql: Sql;
  system: DeliverySystem;
  outbound: OutboundPolicy;
  settings: LaneSettings;
  logger: DeliveryLogger;
  onAttempt?: LaneDependencies['onAttempt'];
}

export interface OperationsWebhook {
  url: string;
  /** '' sends without a signature. */
  secret: string;
}

/** Delivers the events of one system: what a worker needs. */
export function createDelivery(options: DeliveryOptions) {
  const { sql, system, settings, logger, onAttempt } = options;
  const lanes = new LaneRepository(sql, system.schema, settings.batchSize);
  const outbound = new OutboundClient(options.outbound);
  const sender = new Sender(system, outbound, settings.timeoutSeconds * 1_000);
  const leases = new Leases(lanes, logger);
  const endpoints = new SourceEndpoints(lanes.endpointsOf.bind(lanes));
  const dependencies = { system, lanes, leases, endpoints, sender, settings, logger, onAttempt };

  return {
    /**
     * The endpoints of a source that may run now. Calls `onMissed` if running their lanes shows that one
     * was missing.
     *
     * @param onlyId the only endpoint that is wanted
     */
    endpointsOf: async (
      sourceId: string,
      onMissed: () => void,
      onlyId?: string,
    ): Promise<EndpointKey[]> => {
      if (onlyId === undefined) return endpoints.of(sourceId, onMissed);
      return (await lanes.endpointsOf(sourceId)).filter(({ id }) => id === onlyId);
    },

    /** Delivers the pending events of an endpoint; see Lane. */
    runLane: (endpoint: EndpointKey, signal?: AbortSignal): Promise<LaneRun> =>
      new Lane(endpoint, randomUUID(), dependencies).takeTurn(signal),

    /**
     * Reads what was logged since the last sweep, and returns the sources with endpoints that are due
     * and that no worker is delivering. Its cost follows the new events, not the endpoints.
     */
    sweep: (): Promise<string[]> => lanes.sweep(),

    /** Where events about delivery itself are sent; '' sends them nowhere. */
    putOperationsWebhook: ({ url, secret }: OperationsWebhook): Promise<void> => {
      const sealed = secret === '' ? null : system.seal(OPERATIONS_SOURCE, 'secret', secret);
      return new Endpoints(system.schema).putOperations(sql, url, sealed);
    },

    /** Undelivered events, for metrics. */
    backlog: (): Promise<Backlog> => lanes.backlog(),

    /** Aborts the requests in flight. Their lanes end without an attempt and release their leases. */
    close: () => outbound.close(),
  };
}

export type Delivery = ReturnType<typeof createDelivery>;
