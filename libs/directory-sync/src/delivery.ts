import { randomUUID } from 'node:crypto';
import { KeyRing } from '@gatehouse/crypto';
import { type DataSource } from 'typeorm';
import { Database } from './database/database.js';
import { Lane, type LaneDependencies, type LaneRun, type LaneSettings } from './delivery/lane.js';
import { type Backlog, LaneRepository } from './delivery/lane.repository.js';
import { OutboundClient, type OutboundPolicy } from './outbound/outbound.js';
import { DirectoryRepository } from './directories/directory.repository.js';
import { DirectorySecrets } from './directories/directory-secrets.js';
import type { SyncLogger } from './management/result.js';

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

/** The sending side, for a worker: delivers lanes, finds those that nobody woke, cleans up. */
export function createDelivery(options: DeliveryOptions) {
  const { dataSource, logger } = options;
  const database = new Database(dataSource);
  const lanes = new LaneRepository(database);
  const directories = new DirectoryRepository(dataSource, database);
  const outbound = new OutboundClient(options.outbound);
  const secrets = new DirectorySecrets(KeyRing.fromTexts(options.encryptionKeys));
  const { settings, onAttempt } = options;
  const dependencies = { lanes, secrets, outbound, settings, logger, onAttempt };

  return {
    /** Delivers what waits in a directory's lane; see Lane. */
    runLane: (directoryId: string, signal?: AbortSignal): Promise<LaneRun> =>
      new Lane(directoryId, randomUUID(), dependencies).run(signal),

    /** Directories with undelivered events that are due and that nobody delivers. */
    idleLanes: (): Promise<string[]> => lanes.idleLanes(SWEPT_LANES_MAX),

    /** How many directories have undelivered events, and how old the oldest of these is. */
    backlog: (): Promise<Backlog> => lanes.backlog(),

    /** Takes away rows of deleted directories that `directories.delete` left behind. */
    purgeDeleted: async (): Promise<void> => {
      for (const id of await directories.deletedIds()) {
        await directories.purge(id, PURGE_BUDGET_MS);
      }
    },

    close: () => outbound.close(),
  };
}

export type Delivery = ReturnType<typeof createDelivery>;
