import { createDataSource as dataSourceOf } from '@gatehouse/nest-kit/database';
import { type DataSource } from 'typeorm';
import { Keys1763600000001 } from './migrations/1763600000001-create-keys.migration.js';
import { FindImportedKeysByHash1763600000002 } from './migrations/1763600000002-find-imported-keys-by-hash.migration.js';
import { IndexFilteredLists1763600000003 } from './migrations/1763600000003-index-filtered-lists.migration.js';
import { ProtectAuditEvents1763700000001 } from './migrations/1763700000001-protect-audit-events.migration.js';
import { CreateKeyEvents1764000000001 } from './migrations/1764000000001-create-key-events.migration.js';
import { NoticeExpiringKeys1764000000002 } from './migrations/1764000000002-notice-expiring-keys.migration.js';
import { FollowKeyUsage1764100000001 } from './migrations/1764100000001-follow-key-usage.migration.js';
import { IndexAttemptsOfEndpoints1764100000011 } from './migrations/1764100000011-index-attempts-of-endpoints.migration.js';
import { CheckUnusedKeys1764200000001 } from './migrations/1764200000001-check-unused-keys.migration.js';
import { LetWorkersDeliverKeyEvents1764300000001 } from './migrations/1764300000001-let-workers-deliver-key-events.migration.js';
import { AnnounceKeysByOwnThresholds1764400000001 } from './migrations/1764400000001-announce-keys-by-own-thresholds.migration.js';
import { KeepTracesOfKeyEvents1765100000011 } from './migrations/1765100000011-keep-traces-of-key-events.migration.js';
import { TagKeys1765300000050 } from './migrations/1765300000050-tag-keys.migration.js';
import { IndexTaggedKeys1765300000051 } from './migrations/1765300000051-index-tagged-keys.migration.js';
import { PauseKeys1765300000052 } from './migrations/1765300000052-pause-keys.migration.js';
import { IndexPausedKeys1765300000053 } from './migrations/1765300000053-index-paused-keys.migration.js';
import { ExposeKeys1765300000054 } from './migrations/1765300000054-expose-keys.migration.js';
import { CreatePortalSessions1765300000080 } from './migrations/1765300000080-create-portal-sessions.migration.js';
import { AddNamedLimits1765300000100 } from './migrations/1765300000100-add-named-limits.migration.js';
import { CreateCredits1765300000110 } from './migrations/1765300000110-create-credits.migration.js';
import { ImportHashes1765300000130 } from './migrations/1765300000130-import-hashes.migration.js';
import { CountUsage1765300000150 } from './migrations/1765300000150-count-usage.migration.js';
import { AnnounceExhaustedCredits1765300000160 } from './migrations/1765300000160-announce-exhausted-credits.migration.js';
import { ReopenPortalSessions1765300002503 } from './migrations/1765300002503-reopen-portal-sessions.migration.js';
import { EraseUsage1765300002600 } from './migrations/1765300002600-erase-usage.migration.js';
import { LimitPortalKeys1765300002700 } from './migrations/1765300002700-limit-portal-keys.migration.js';
import { ReadKeyEventsInOrder1765300003011 } from './migrations/1765300003011-read-key-events-in-order.migration.js';

/** The schema of the key service. It has no entities: all statements are SQL. */
export const database = {
  schema: 'keys',
  tables: ['api_keys', 'signing_keys', 'audit_events'],
  entities: [],
  migrations: [
    Keys1763600000001,
    FindImportedKeysByHash1763600000002,
    IndexFilteredLists1763600000003,
    ProtectAuditEvents1763700000001,
    CreateKeyEvents1764000000001,
    NoticeExpiringKeys1764000000002,
    FollowKeyUsage1764100000001,
    IndexAttemptsOfEndpoints1764100000011,
    CheckUnusedKeys1764200000001,
    LetWorkersDeliverKeyEvents1764300000001,
    AnnounceKeysByOwnThresholds1764400000001,
    KeepTracesOfKeyEvents1765100000011,
    TagKeys1765300000050,
    IndexTaggedKeys1765300000051,
    PauseKeys1765300000052,
    IndexPausedKeys1765300000053,
    ExposeKeys1765300000054,
    CreatePortalSessions1765300000080,
    AddNamedLimits1765300000100,
    CreateCredits1765300000110,
    ImportHashes1765300000130,
    CountUsage1765300000150,
    AnnounceExhaustedCredits1765300000160,
    ReopenPortalSessions1765300002503,
    EraseUsage1765300002600,
    LimitPortalKeys1765300002700,
    ReadKeyEventsInOrder1765300003011,
  ],
};

/** A data source for the migration tool; not yet connected. */
export function createDataSource(databaseUrl: string): DataSource {
  return dataSourceOf({ ...database, databaseUrl });
}
