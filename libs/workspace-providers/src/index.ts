/**
 * Providers of workspace directories: what the directory sync pulls users, groups and members from.
 *
 * @packageDocumentation
 */
export {
  type AuthorizationRequest,
  type Capabilities,
  type Changes,
  type Grant,
  type CodeExchange,
  type ConsentKind,
  type Credentials,
  type NewChannel,
  type Notification,
  type NotificationRequest,
  type OpenChannel,
  type Page,
  type ProviderName,
  PROVIDERS,
  type StoredTokens,
  type Tokens,
  type Topic,
  UNKNOWN_CHANGES,
  type WorkspaceChannels,
  type WorkspaceGroup,
  type WorkspaceMember,
  type WorkspaceProvider,
  type WorkspaceSession,
  type WorkspaceUser,
} from './provider.js';
export {
  asServiceAccount,
  GOOGLE_DEFAULTS,
  type GoogleSettings,
  type ServiceAccount,
} from './google/google.settings.js';
export { ENTRA_DEFAULTS, type EntraSettings } from './entra/entra.settings.js';
export { createProviders, type Providers, type ProviderSettings } from './providers.js';
export { WorkspaceError, type WorkspaceErrorKind } from './workspace.errors.js';
