import { randomUUID } from 'node:crypto';
import { KeyRing } from '@gatehouse/crypto';
import { Sql } from '@gatehouse/service-kit';
import { type DataSource } from 'typeorm';
import { Lane, type LaneDependencies, type LaneRun, type LaneSettings } from './delivery/lane.js';
import { type Backlog, LaneRepository } from './delivery/lane.repository.js';
import { OutboundClient, type OutboundPolicy } from '@gatehouse/delivery';
import { DirectoryRepository } from './directories/directory.repository.js';
import { DirectorySecrets } from './directories/directory-secrets.js';
import type { SyncLogger } from './sync-logger.js';

export interface DeliveryOptions {
  dataSource: DataSource;
  encryptionKeys: readonly string[];
  outbound: OutboundPolicy;
  settings: LaneSettings;
  logger: SyncLogger;
  onAttempt?: LaneDependencies['onAttempt'];
}

const SWEPT_LANES_MAX = 1_000;
const PURGE_BUDGET_MS = 10_000;

/** Webhook delivery for a worker: delivers lanes, finds lanes with a lost wake-up, purges rows. */
export function createDelivery(options: DeliveryOptions) {
  const { dataSource, logger } = options;
  const sql = new Sql(dataSource);
  const lanes = new LaneRepository(sql);
  const directories = new DirectoryRepository(dataSource, sql);
  const outbound = new OutboundClient(options.outbound);
  const secrets = new DirectorySecrets(KeyRing.fromTexts(options.encryptionKeys));
  const { settings, onAttempt } = options;
  const dependencies = { lanes, secrets, outbound, settings, logger, onAttempt };

  return {
    /** Delivers the pending events of a directory; see Lane. */
    runLane: (directoryId: string, signal?: AbortSignal): Promise<LaneRun> =>
      new Lane(directoryId, randomUUID(), dependencies).run(signal),

    /** Directories with undelivered events that are due and that no worker is delivering. */
    idleLanes: (): Promise<string[]> => lanes.idleLanes(SWEPT_LANES_MAX),

    /** The number of directories with undelivered events, and the age of the oldest event. */
    backlog: (): Promise<Backlog> => lanes.backlog(),

    /** Deletes rows of deleted directories that `directories.delete` left for later. */
    purgeDeleted: async (signal?: AbortSignal): Promise<void> => {
      for (const id of await directories.deletedIds()) {
        if (signal?.aborted) return;
        await directories.purge(id, PURGE_BUDGET_MS, signal);
      }
    },

    /** Aborts the calls in flight. Their lanes end without an attempt and release their leases. */
    close: () => outbound.close(),
  };
}

export type Delivery = ReturnType<typeof createDelivery>;
