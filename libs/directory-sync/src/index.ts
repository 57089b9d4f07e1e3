/**
 * Directory sync: users and groups of the identity providers of other organizations, and the events of
 * what changes in them.
 *
 * `createDirectorySync` makes the controller object. Its operations resolve to `{data, error}`
 * (`management/result.ts`); the services behind them throw a DomainError. What comes in:
 *
 * - SCIM requests of providers that send (`scim/`, RFC 7643 and 7644),
 * - runs over workspaces that are read (`workspace/runs/`), which write with the same services,
 * - operations of administrators (`management/`), and imports (`imports/`).
 *
 * Layers, each of which imports only those below:
 *
 *     embedded                         the package: everything in the process of an application
 *     controller                       puts everything together
 *     management                       what administrators do
 *     workspace, imports, delivery     runs, imports, webhooks
 *     key-feed                         what becomes of people, for the key service
 *     http                             SCIM messages of any server
 *     scim                             the engine, from a credential to a response
 *     guard, quotas, roles, searches   what one directory may lose, hold and cost
 *     hits                             what a search over all directories finds
 *     users, groups, events            rows and statements
 *     directories, connections, key-links, database
 *
 * Every change writes its event in its own statement, so the event log (`events/`) is outbox and log in
 * one. `delivery/` sends it to webhooks, in order, whether or not anything was told of the change.
 */
export { AUDIT_TABLE } from './audit/audit-table.js';
export {
  createDirectorySync,
  type DirectorySync,
  type DirectorySyncOptions,
} from './controller.js';
export { databaseDefinition } from './database-definition.js';
export { createDelivery, type Delivery, type DeliveryOptions } from './delivery/create-delivery.js';
export { DIRECTORY_FAULTS, HEALTH_STATES } from './directories/directory.types.js';
export type {
  DirectoryChanges,
  DirectoryHealth,
  DirectoryView,
  ListedDirectory,
  NewDirectory,
} from './directories/directory.types.js';
export type { GuardSettings } from './guard/guard.types.js';
export type { DirectoryEvent } from './events/event.types.js';
export { HIT_KINDS } from './hits/hit.types.js';
export { DSYNC_SCHEMA } from './database/schema.js';
export {
  bearer,
  httpFailure,
  mediaRefusal,
  SCIM_BODY_BYTES_MAX,
  scimMediaType,
  scimRequestOf,
} from './http/scim-message.js';
export type { DirectoryGroup } from './groups/group.types.js';
export { type ApplyPeople, applyWholly } from './key-feed/key-feed.js';
export { USER_ATTRIBUTES } from './key-links/key-link.types.js';
export type { KeyLinkInput, KeyLinkView } from './management/key-links/key-links.js';
export type { HealthFilter } from './management/directories/directories.js';
export type { AuditFilter } from './management/records/audit-trail.js';
export type { DirectoryEventRecord } from './management/records/events.js';
export type { SearchQuery } from './management/records/search.js';
export type { UserLookups } from './management/records/users.js';
export type {
  EndpointChanges,
  EndpointRotation,
  EventReplay,
  NewWebhookEndpoint,
} from '@gatehouse/delivery/management';
export type { PageOf } from './management/page.input.js';
export { asResults, type Result, type Results } from './management/result.js';
export type { EndpointFilter, ListedEndpoint } from './management/webhooks/webhook-endpoints.js';
export type { WebhookLog } from './management/webhooks/webhook-logs.js';
export type { DirectorySyncRequest } from './requests.js';
export type {
  ScimRequest,
  ScimResponse,
  ScimTarget,
  SeenAccess,
} from './scim/protocol/scim.types.js';
export type { EventCallback, ScimRequests } from './scim/requests/scim-requests.js';
export type {
  NewScimTokenInput,
  ScimTokenChanges,
  ScimTokenRotation,
} from './management/scim-tokens/scim-token.input.js';
export type { ScimTokenSecretView, ScimTokenView } from './scim-tokens/scim-token.view.js';
export type { RequestFilter, RequestUsageQuery } from './management/records/request-history.js';
export type { RequestOutcome } from './request-log/request-log.js';
export { createRoleJobs } from './roles/create-role-jobs.js';
export type { RoleJobs } from './roles/role-jobs.js';
export type { RoleMapping, RoleMappingView, RolePreview } from './roles/role.types.js';
export { scimTarget } from './scim/requests/scim-target.js';
export { CALLBACK_PATH, type AuthorizationAnswer } from './workspace/consents.js';
export {
  createWorkspaceSessions,
  type WorkspaceSessionSource,
} from './workspace/create-workspace-sessions.js';
export type { SyncLogger } from './sync-logger.js';
export { createWorkspaceRuns, type WorkspaceRuns } from './workspace/runs/create-workspace-runs.js';
export {
  createWorkspacePush,
  NOTIFICATIONS_PATH,
  type WorkspacePush,
} from './workspace/push/create-workspace-push.js';
export type { NotificationOutcome } from './management/workspace/workspace-notifications.js';
export { RunQueue } from './workspace/runs/run-queue.js';
export type { RunDetails, RunView } from './workspace/runs/run.view.js';
export type { WorkspaceSettings } from './workspace/runs/settings.types.js';
export type { SyncEntry } from './management/workspace/sync-all.js';
export type { DirectoryUser } from './users/user.types.js';
