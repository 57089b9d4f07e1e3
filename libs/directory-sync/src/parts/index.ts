/** Exports for packages that build on directory sync: see `parts` of the controller object. */
export { LIBRARY_CALL } from '../audit/audit-table.js';
export { type DirectorySyncParts } from '../controller.js';
export { type Connection, type ConnectionSettings } from '../connections/connection.types.js';
export { insertNotice, type NoticedDirectory } from '../directories/directory-notices.js';
export { type DirectorySecrets } from '../directories/directory-secrets.js';
export { type Directory } from '../directories/directory.entity.js';
export { type DirectoryRepository } from '../directories/directory.repository.js';
export { type DirectoryType, type NewDirectory } from '../directories/directory.types.js';
export { scimPath } from '../directories/directory.view.js';
export { SCIM_TOKENS_MAX } from '../directories/scim-credential.js';
export {
  isAttributeName,
  MAPPED_ATTRIBUTES_MAX,
  pathFault,
} from '../management/directories/attribute-mapping.input.js';
export { type Directories } from '../management/directories/directories.js';
export { STRICT, violationMessage } from '../management/body.input.js';
export { newType, scopeText } from '../management/directories/directory.input.js';
export { type Page, pageOf, type PageOf } from '../management/page.input.js';
export {
  changeRoles,
  previewRoles,
  type RoleChangesContext,
} from '../management/roles/role-changes.js';
export { ROLE_CHARACTERS_MAX, RULES_MAX } from '../management/roles/role-mapping.input.js';
export { readWorkspace, WORKSPACE_FIELDS } from '../management/workspace/workspace.input.js';
export {
  type RequestLogRepository,
  type StatusRange,
  type StoredEntry,
} from '../request-log/request-log.repository.js';
export { findMapping, listRules, storeMapping } from '../roles/role.repository.js';
export { type RoleMapping, type RolePreview, type RoleRule } from '../roles/role.types.js';
export { type ScimTokenRepository } from '../scim-tokens/scim-token.repository.js';
export { type SyncLogger } from '../sync-logger.js';
export { notFound, SyncErrors } from '../sync.errors.js';
export {
  type AuthorizationAnswer,
  type ConsentEnd,
  accountDetails,
  type Consents,
  type GrantedAccess,
  readAnswer,
} from '../workspace/consents.js';
export { type OAuthStates } from '../workspace/oauth-states.js';
export { type RunRepository } from '../workspace/runs/run.repository.js';
export { type RunRow, type RunState } from '../workspace/runs/run.types.js';
export { readSettings } from '../workspace/runs/settings.input.js';
export { type SettingsRepository } from '../workspace/runs/settings.repository.js';
