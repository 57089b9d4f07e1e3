import { Directory } from './directories/directory.entity.js';
import { CreateDirectories1763640000001 } from './migrations/1763640000001-create-directories.migration.js';
import { CreateEventLog1763640000002 } from './migrations/1763640000002-create-event-log.migration.js';
import { LetWritersMeetNowhere1763640000003 } from './migrations/1763640000003-add-directory-revision.migration.js';
import { OrderWhatMayBeMissing1763640000004 } from './migrations/1763640000004-index-nullable-sort-keys.migration.js';
import { ListDirectoriesByAge1763640000005 } from './migrations/1763640000005-index-directories-by-age.migration.js';
import { MeasureResources1763640000006 } from './migrations/1763640000006-measure-resources.migration.js';
import { LimitDirectories1763640000007 } from './migrations/1763640000007-limit-directories.migration.js';
import { RecordLastRequest1763640000008 } from './migrations/1763640000008-record-last-request.migration.js';
import { CreateAuditEvents1763700000001 } from './migrations/1763700000001-create-audit-events.migration.js';
import { MoveEventsToDeliveryEngine1763700000002 } from './migrations/1763700000002-move-events-to-delivery-engine.migration.js';
import { CreateWorkspaceConnections1764400000001 } from './migrations/1764400000001-create-workspace-connections.migration.js';
import { AddStrictDirectories1764000000001 } from './migrations/1764000000001-add-strict-directories.migration.js';
import { IndexAttemptsOfEndpoints1764100000001 } from './migrations/1764100000001-index-attempts-of-endpoints.migration.js';
import { RecordOutcomesOfRequests1764500000002 } from './migrations/1764500000002-record-outcomes-of-requests.migration.js';
import { CreateWorkspaceRuns1764500000001 } from './migrations/1764500000001-create-workspace-runs.migration.js';
import { NoticeQuietDirectories1764600000001 } from './migrations/1764600000001-notice-quiet-directories.migration.js';
import { IndexLastRequests1764600000002 } from './migrations/1764600000002-index-last-requests.migration.js';
import { KeepSettingsOfRuns1764600000003 } from './migrations/1764600000003-keep-settings-of-runs.migration.js';
import { CompareMembersByGroup1764650000001 } from './migrations/1764650000001-compare-members-by-group.migration.js';
import { IndexNestedGroups1764650000002 } from './migrations/1764650000002-index-nested-groups.migration.js';
import { GuardDirectories1764800000001 } from './migrations/1764800000001-guard-directories.migration.js';
import { ValidateRunTriggers1764800000002 } from './migrations/1764800000002-validate-run-triggers.migration.js';
import { CreateWorkspacePush1764900000001 } from './migrations/1764900000001-create-workspace-push.migration.js';
import { KeepTokensOfChanges1765000000001 } from './migrations/1765000000001-keep-tokens-of-changes.migration.js';
import { KeepTracesOfEvents1765100000001 } from './migrations/1765100000001-keep-traces-of-events.migration.js';
import { LogScimRequests1765200000001 } from './migrations/1765200000001-log-scim-requests.migration.js';
import { CreateScimTokens1765200000010 } from './migrations/1765200000010-create-scim-tokens.migration.js';
import { LogTokensOfRequests1765200000011 } from './migrations/1765200000011-log-tokens-of-requests.migration.js';
import { PublishTokenHashes1765200000012 } from './migrations/1765200000012-publish-token-hashes.migration.js';
import { MapGroupsToRoles1765200000020 } from './migrations/1765200000020-map-groups-to-roles.migration.js';
import { IndexGroupsInsideGroups1765200000021 } from './migrations/1765200000021-index-groups-inside-groups.migration.js';
import { ProtectRoles1765200000022 } from './migrations/1765200000022-protect-roles.migration.js';
import { ValidateHeldOperations1765200000023 } from './migrations/1765200000023-validate-held-operations.migration.js';
import { CreateSetupLinks1765200000030 } from './migrations/1765200000030-create-setup-links.migration.js';
import { CreateImports1765200000040 } from './migrations/1765200000040-create-imports.migration.js';
import { MapAttributesBySetupLinks1765300001001 } from './migrations/1765300001001-map-attributes-by-setup-links.migration.js';
import { ConsentBySetupLinks1765300002001 } from './migrations/1765300002001-consent-by-setup-links.migration.js';
import { MapRolesBySetupLinks1765300002502 } from './migrations/1765300002502-map-roles-by-setup-links.migration.js';
import { ReopenSetupLinks1765300002501 } from './migrations/1765300002501-reopen-setup-links.migration.js';
import { ReadEventsInOrder1765300003001 } from './migrations/1765300003001-read-events-in-order.migration.js';

/** The PostgreSQL schema of directory sync, with its migrations in order. */
export const databaseDefinition = {
  schema: 'dsync',
  tables: [
    'directories',
    'users',
    'groups',
    'group_members',
    'events',
    'endpoints',
    'audit_events',
    'workspace_connections',
    'workspace_authorizations',
    'scim_requests',
    'scim_tokens',
    'setup_links',
  ],
  entities: [Directory],
  migrations: [
    CreateDirectories1763640000001,
    CreateEventLog1763640000002,
    LetWritersMeetNowhere1763640000003,
    OrderWhatMayBeMissing1763640000004,
    ListDirectoriesByAge1763640000005,
    MeasureResources1763640000006,
    LimitDirectories1763640000007,
    RecordLastRequest1763640000008,
    CreateAuditEvents1763700000001,
    MoveEventsToDeliveryEngine1763700000002,
    AddStrictDirectories1764000000001,
    IndexAttemptsOfEndpoints1764100000001,
    CreateWorkspaceConnections1764400000001,
    CreateWorkspaceRuns1764500000001,
    RecordOutcomesOfRequests1764500000002,
    NoticeQuietDirectories1764600000001,
    IndexLastRequests1764600000002,
    KeepSettingsOfRuns1764600000003,
    CompareMembersByGroup1764650000001,
    IndexNestedGroups1764650000002,
    GuardDirectories1764800000001,
    ValidateRunTriggers1764800000002,
    CreateWorkspacePush1764900000001,
    KeepTokensOfChanges1765000000001,
    KeepTracesOfEvents1765100000001,
    LogScimRequests1765200000001,
    CreateScimTokens1765200000010,
    LogTokensOfRequests1765200000011,
    PublishTokenHashes1765200000012,
    MapGroupsToRoles1765200000020,
    IndexGroupsInsideGroups1765200000021,
    ProtectRoles1765200000022,
    ValidateHeldOperations1765200000023,
    CreateSetupLinks1765200000030,
    CreateImports1765200000040,
    MapAttributesBySetupLinks1765300001001,
    ConsentBySetupLinks1765300002001,
    ReopenSetupLinks1765300002501,
    MapRolesBySetupLinks1765300002502,
    ReadEventsInOrder1765300003001,
  ],
};
