/** Provider types by their identifier; `google` is accepted on input as another word for `workspace`. */
export const PROVIDERS = {
  'azure-scim-v2': 'Entra ID SCIM v2.0',
  'okta-scim-v2': 'Okta SCIM v2.0',
  'onelogin-scim-v2': 'OneLogin SCIM v2.0',
  'jumpcloud-scim-v2': 'JumpCloud SCIM v2.0',
  'generic-scim-v2': 'Generic SCIM v2.0',
  workspace: 'Workspace directory',
} as const;

export type DirectoryType = keyof typeof PROVIDERS;

export const DEFAULT_TYPE: DirectoryType = 'generic-scim-v2';

/** The type behind an identifier, or undefined for an unknown one. */
export function directoryType(identifier: string): DirectoryType | undefined {
  if (identifier === 'google') return 'workspace';
  return Object.hasOwn(PROVIDERS, identifier) ? (identifier as DirectoryType) : undefined;
}

/** A directory as callers see it. Secrets are in clear; absent texts are empty. */
export interface DirectoryView {
  id: string;
  name: string;
  tenant: string;
  product: string;
  type: DirectoryType;
  log_webhook_events: boolean;
  deactivated: boolean;
  webhook: { endpoint: string; secret: string };
  scim: { path: string; endpoint: string; secret: string };
  attribute_mapping?: Record<string, string>;
  workspace_domain?: string;
  workspace_access_token?: string;
  workspace_refresh_token?: string;
}

/** What `directories.create` takes. */
export interface NewDirectory {
  name?: string;
  tenant: string;
  product: string;
  type?: string;
  webhook_url?: string;
  webhook_secret?: string;
  log_webhook_events?: boolean;
  attribute_mapping?: Record<string, string>;
  workspace_domain?: string;
}

/** What `directories.update` takes; what is absent stays, an empty text takes a value away. */
export interface DirectoryChanges {
  name?: string;
  log_webhook_events?: boolean;
  deactivated?: boolean;
  webhook_url?: string;
  webhook_secret?: string;
  /** How long the old webhook secret signs beside the new one: a duration text or seconds. */
  webhook_secret_overlap?: string | number;
  attribute_mapping?: Record<string, string> | null;
  workspace_domain?: string;
  workspace_access_token?: string;
  workspace_refresh_token?: string;
}

export interface Page {
  pageOffset?: number;
  pageLimit?: number;
}

/** How the delivery of a directory's events stands. */
export interface DirectoryStatus {
  /** Runs of a workspace directory; null where none was made. */
  last_sync: null;
  pending: number;
  oldest_pending_age_seconds: number | null;
  dead: number;
  /** Member references of its groups that named nobody of the directory. */
  ignored_members: number;
  webhook: { state: 'active' | 'stopped' | 'none' };
}
