import { Directory } from './directories/directory.entity.js';
import { CreateDirectorySync1795600000002 } from './migrations/1795600000002-create-directory-sync.migration.js';
import { AddPutClearsMembers1795600000011 } from './migrations/1795600000011-add-put-clears-members.migration.js';
import { KeepSetupStep1795700000002 } from './migrations/1795700000002-keep-setup-step.migration.js';
import { KeepWorkspaceAccount1795900000001 } from './migrations/1795900000001-keep-workspace-account.migration.js';
import { ClaimLanes1796000000001 } from './migrations/1796000000001-claim-lanes.migration.js';
import { LinkKeys1796200000001 } from './migrations/1796200000001-link-keys.migration.js';
import { KeepEventCursor1796300000001 } from './migrations/1796300000001-keep-event-cursor.migration.js';
import { SearchRecords1796500000001 } from './migrations/1796500000001-search-records.migration.js';
import { CountRequestStatuses1796600000001 } from './migrations/1796600000001-count-request-statuses.migration.js';
import { ListQuietDirectories1796600000002 } from './migrations/1796600000002-list-quiet-directories.migration.js';

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
    'key_links',
    'key_feeds',
  ],
  entities: [Directory],
  migrations: [
    CreateDirectorySync1795600000002,
    AddPutClearsMembers1795600000011,
    KeepSetupStep1795700000002,
    KeepWorkspaceAccount1795900000001,
    ClaimLanes1796000000001,
    LinkKeys1796200000001,
    KeepEventCursor1796300000001,
    SearchRecords1796500000001,
    CountRequestStatuses1796600000001,
    ListQuietDirectories1796600000002,
  ],
};
