import {
  createDelivery as createEngine,
  type Delivery as DeliveryEngine,
  type DeliveryOptions as EngineOptions,
} from '@gatehouse/delivery';
import { KeyRing } from '@gatehouse/crypto';
import { sqlOf } from '@gatehouse/nest-kit/database';
import { type DataSource } from 'typeorm';
import { DirectoryRepository, QUIET_BATCH } from '../directories/directory.repository.js';
import { DirectorySecrets } from '../directories/directory-secrets.js';
import { ScimTokenRepository } from '../scim-tokens/scim-token.repository.js';
import { type ApplyPeople, KeyFeed } from '../key-feed/key-feed.js';
import { directorySystem } from './directory-system.js';
import { TokenNotices } from './token-notices.js';

export interface DeliveryOptions extends Omit<EngineOptions, 'sql' | 'system'> {
  dataSource: DataSource;
  encryptionKeys: readonly string[];
  /** How long before their expiry SCIM tokens are announced, in seconds; by default only the expiry is. */
  tokenExpiringThresholds?: readonly number[];
  /** Asks the key service, for directories with a key link. */
  applyPeople?: ApplyPeople;
}

const PURGE_BUDGET_MS = 10_000;

/** Webhook delivery of directory sync for a worker; it also purges deleted directories. */
export function createDelivery({
  dataSource,
  encryptionKeys,
  tokenExpiringThresholds = [],
  applyPeople,
  ...options
}: DeliveryOptions) {
  const sql = sqlOf(dataSource);
  const directories = new DirectoryRepository(dataSource, sql);
  const secrets = new DirectorySecrets(KeyRing.fromTexts(encryptionKeys));
  const feed = applyPeople && new KeyFeed(sql, applyPeople, options.logger);
  const system = directorySystem(secrets, feed?.receiver);
  const tokens = new TokenNotices(sql, new ScimTokenRepository(sql), tokenExpiringThresholds);
  const engine: DeliveryEngine = createEngine({ ...options, sql, system });

  return {
    ...engine,

    /** Logs a notice for each directory that has received no request for a time, once. */
    noticeQuiet: async (seconds: number, signal?: AbortSignal): Promise<void> => {
      while (!signal?.aborted && (await directories.markQuiet(seconds)) === QUIET_BATCH);
    },

    /** Logs notices for SCIM tokens that expire soon or have expired. */
    noticeTokens: (signal?: AbortSignal, now?: Date): Promise<void> => tokens.run(signal, now),

    /** Begins to send the people of linked directories that have to be sent whole. Returns at once. */
    sendPeople: (signal: AbortSignal): void => feed?.start(signal),

    /** Resolves when no people are being sent. */
    peopleSent: (): Promise<void> => feed?.ended() ?? Promise.resolve(),

    /** Deletes rows of deleted directories that `directories.delete` left for later. */
    purgeDeleted: async (signal?: AbortSignal): Promise<void> => {
      for (const id of await directories.deletedIds()) {
        if (signal?.aborted) return;
        await directories.purge(id, PURGE_BUDGET_MS, signal);
      }
    },
  };
}

export type Delivery = ReturnType<typeof createDelivery>;
