import { KeyRing } from '@gatehouse/crypto';
import { type DataSource } from 'typeorm';
import { Database } from './database/database.js';
import { type OutboundPolicy } from './outbound/outbound.js';
import { Directories } from './management/directories.js';
import { DirectoryRepository } from './directories/directory.repository.js';
import { DirectorySecrets } from './directories/directory-secrets.js';
import { PROVIDERS } from './directories/directory.types.js';
import { Events } from './management/events.js';
import { WebhookLogs } from './management/webhook-logs.js';
import { Groups } from './management/groups.js';
import { Requests } from './requests.js';
import { resultOf, silentLogger, type SyncLogger } from './management/result.js';
import { ScimRequests } from './scim/requests/scim-requests.js';
import type { ScimLimits } from './scim/protocol/scim.types.js';
import { Users } from './management/users.js';

export interface DirectorySyncOptions {
  /** Initialised, with the entities of `databaseDefinition` and its migrations run. */
  dataSource: DataSource;
  /** How identity providers reach the service, e.g. `https://sync.example.com`. */
  externalUrl: string;
  /** Secrets are sealed under the first key, opened with any; each at least 32 characters. */
  encryptionKeys: readonly string[];
  /** Webhook addresses that are not public are refused unless this lets them through. */
  outbound?: OutboundPolicy;
  limits?: Partial<ScimLimits>;
  /** Called after a commit that made events to be delivered; a hint that may get lost. */
  wakeLane?: (directoryId: string) => void;
  logger?: SyncLogger;
}

const DEFAULT_LIMITS: ScimLimits = {
  pageSizeDefault: 100,
  pageSizeMax: 1_000,
  bulkOperationsMax: 1_000,
  bulkBytesMax: 1024 * 1024,
};

/**
 * Makes the controller object of directory sync. It keeps nothing between calls: every operation
 * reads what it needs, and scoped handles are new objects.
 *
 * @throws CryptoError when the encryption keys are no key ring
 */
export function createDirectorySync(options: DirectorySyncOptions) {
  const { dataSource, logger = silentLogger, outbound = { allowPrivate: false } } = options;
  const ring = KeyRing.fromTexts(options.encryptionKeys);
  const externalUrl = options.externalUrl.replace(/\/+$/, '');
  const database = new Database(dataSource);
  const repository = new DirectoryRepository(dataSource, database);
  const secrets = new DirectorySecrets(ring);
  const wakeLane = options.wakeLane ?? (() => undefined);
  const scim = new ScimRequests({
    database,
    directories: repository,
    externalUrl,
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    cursorKey: ring.forPurpose('scim-cursor').current.key,
    logger,
    wakeLane,
  });
  return {
    directories: new Directories({
      repository,
      executor: database,
      secrets,
      policy: outbound,
      externalUrl,
      logger,
      wakeLane,
    }),
    users: new Users({ executor: database, logger }),
    groups: new Groups({ executor: database, logger }),
    events: new Events({ executor: database, directories: repository, logger, wakeLane }),
    webhookLogs: new WebhookLogs({ executor: database, logger }),
    requests: new Requests(scim),
    /** Provider types and what they are called. */
    providers: () => resultOf(logger, () => Promise.resolve(PROVIDERS)),
  };
}

export type DirectorySync = ReturnType<typeof createDirectorySync>;
