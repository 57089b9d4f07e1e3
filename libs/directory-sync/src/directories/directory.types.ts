import { type Endpoint, type EndpointState } from '@gatehouse/delivery';
import { type ProviderName } from '@gatehouse/workspace-providers';
import { type KeyLinkStatus } from '../key-links/key-link.types.js';
import { type GuardSettings } from '../guard/guard.types.js';
import { type PublishedToken, type TokenHashes } from '../scim-tokens/scim-token.types.js';
import { type ConnectionState } from '../connections/connection.types.js';

/** The provider types a directory can be created with, and their display names. */
export const PROVIDERS = {
  'azure-scim-v2': 'Entra ID SCIM v2.0',
  'okta-scim-v2': 'Okta SCIM v2.0',
  'onelogin-scim-v2': 'OneLogin SCIM v2.0',
  'jumpcloud-scim-v2': 'JumpCloud SCIM v2.0',
  'generic-scim-v2': 'Generic SCIM v2.0',
  workspace: 'Workspace (Google, Entra ID)',
} as const;

/** A `workspace` directory is read from the API of its provider; the others are pushed by SCIM. */
export type DirectoryType = keyof typeof PROVIDERS;

export const DEFAULT_TYPE: DirectoryType = 'generic-scim-v2';

/** A directory as callers see it. Secrets are in plain text; unset texts are empty. */
export interface DirectoryView {
  id: string;
  name: string;
  tenant: string;
  product: string;
  type: DirectoryType;
  log_webhook_events: boolean;
  deactivated: boolean;
  strict: boolean;
  /** Absent when false. */
  put_clears_members?: boolean;
  webhook: { endpoint: string; secret: string };
  scim: { path: string; endpoint: string; secret: string };
  attribute_mapping?: Record<string, string>;
  workspace_provider?: ProviderName;
  workspace_domain?: string;
  workspace_administrator?: string;
  workspace_access_token?: string;
  workspace_refresh_token?: string;
}

/** A directory in a list. */
export type ListedDirectory = DirectoryView & { health: DirectoryHealth };

/** The input of `directories.create`. */
export interface NewDirectory {
  name?: string;
  tenant: string;
  product: string;
  type?: string;
  webhook_url?: string;
  webhook_secret?: string;
  log_webhook_events?: boolean;
  /** Refuse SCIM requests that the interoperability profile forbids. */
  strict?: boolean;
  /** Let a PUT of a group without `members` remove them. */
  put_clears_members?: boolean;
  attribute_mapping?: Record<string, string>;
  /** Provider of a workspace directory: `google` by default. */
  workspace_provider?: ProviderName;
  /** The domain whose users are read, or the tenant at Entra ID; all of the account without one. */
  workspace_domain?: string;
  /** In whose name the service account reads; without one, an administrator consents. */
  workspace_administrator?: string;
}

/** The input of `directories.update`. Absent values stay unchanged; an empty address or null removes one. */
export interface DirectoryChanges {
  name?: string;
  log_webhook_events?: boolean;
  strict?: boolean;
  put_clears_members?: boolean;
  deactivated?: boolean;
  webhook_url?: string;
  webhook_secret?: string;
  /** Instead of `webhook_url` and `webhook_secret`, in the names of a view. */
  webhook?: { endpoint?: string; secret?: string };
  /** How long the old webhook secret signs as well: a duration text or seconds. */
  webhook_secret_overlap?: string | number;
  attribute_mapping?: Record<string, string> | null;
  workspace_domain?: string | null;
  workspace_administrator?: string | null;
}

/** An endpoint with its directory, whose id is the source. */
export type EndpointRow = Endpoint & { directoryName: string; tenant: string; product: string };

/** What can be wrong with a directory, the gravest first. */
export const DIRECTORY_FAULTS = [
  'needs_authorization',
  'failed',
  'held',
  'unauthorized',
  'stopped',
  'paused',
  'failing',
  'dead',
] as const;
export type FaultState = (typeof DIRECTORY_FAULTS)[number];

/** A deactivated directory has no faults: it neither takes requests nor sends webhooks. */
export const HEALTH_STATES = [...DIRECTORY_FAULTS, 'healthy', 'deactivated'] as const;
export type HealthState = (typeof HEALTH_STATES)[number];

/** A fault of a directory, as it is read. */
export interface DirectoryFault {
  directoryId: string;
  state: FaultState;
  reason: string | null;
  /** Since when; the last time for `failed` and `unauthorized`. */
  since: Date | null;
}

export interface DirectoryHealth {
  /** The first of the errors, or `healthy` or `deactivated`. */
  state: HealthState;
  has_errors: boolean;
  /** Each state once, the gravest first, with its oldest reason. */
  errors: { state: FaultState; reason: string | null; since: string | null }[];
}

/** The health of a directory's webhook. */
export interface WebhookStatus {
  /** `none`: no address. The other states are those of an endpoint. */
  state: EndpointState | 'none';
  /** Why it is not healthy. */
  reason: string | null;
  failing_since: string | null;
  last_success_at: string | null;
  next_attempt_at: string | null;
}

/** The access of a workspace directory to its provider. */
export interface WorkspaceStatus {
  provider: ProviderName;
  state: ConnectionState;
  /** Why it needs authorization. */
  reason: string | null;
  /** When the state changed. */
  since: string;
  /** Notifications of the provider, besides the schedule. */
  push: {
    active: boolean;
    expires_at: string | null;
    /** Why the channels could not be opened or renewed. */
    error: string | null;
  };
}

/** The last run of a workspace directory, or the last request of an identity provider. */
export interface LastSync {
  started_at: string | null;
  /** Null while a run is under way or held. */
  finished_at: string | null;
  /** The state of a run; `succeeded` or `failed` for a request. */
  result: string;
  error: string | null;
  /** Counts of a run. */
  counts: object | null;
  last_success_at: string | null;
  last_error_at: string | null;
}

/** The SCIM requests of the last 24 hours, and the client that sends them. */
export interface RequestsStatus {
  requests: number;
  /** Refused requests, without 404. */
  errors: number;
  error_rate: number;
  /** Requests without a valid secret, which the others do not contain. */
  unauthorized: number;
  last_unauthorized_at: string | null;
  /** When the SCIM secret of the directory was last used; tokens have a time of their own. */
  secret_last_used_at: string | null;
  /** Recognized by what it sends. */
  provider: string | null;
  user_agent: string | null;
  /** Between two synchronizations; gaps of less than a minute do not count. */
  usual_gap_seconds: number | null;
  /** The last request of a directory that `directory.quiet` was reported for. */
  quiet_since: string | null;
  /** Bodies are captured until then. */
  capture_until: string | null;
}

/** The state of a directory's deliveries. */
export interface DirectoryStatus {
  /** As in lists of directories. */
  health: DirectoryHealth;
  /** Null before the first run or request. */
  last_sync: LastSync | null;
  /** When the identity provider last sent a request; accurate to a minute. */
  last_request_at: string | null;
  /** Null for a workspace directory. */
  requests: RequestsStatus | null;
  pending: number;
  oldest_pending_age_seconds: number | null;
  dead: number;
  /** Member references of its groups that matched no user or group of the directory. */
  ignored_members: number;
  webhook: WebhookStatus;
  /** Null without a key link. */
  key_link: KeyLinkStatus | null;
  /** Null for a SCIM directory. */
  workspace: WorkspaceStatus | null;
}

/** The hashes that a presented secret may have. */
export interface ScimSecretHashes {
  /** Null for a workspace directory, or if it was retired. */
  scimSecretSha256: Buffer | null;
  scimSecretPreviousSha256: Buffer | null;
  scimSecretPreviousUntil: Date | null;
  scimTokens: readonly TokenHashes[];
}

/** The directory data that a SCIM request needs. */
export interface DirectoryAccess extends ScimSecretHashes {
  id: string;
  revision: number;
  tenant: string;
  product: string;
  type: DirectoryType;
  deactivated: boolean;
  strict: boolean;
  putClearsMembers: boolean;
  attributeMapping: Record<string, string> | null;
  /** Null: nothing that the provider removes is held. */
  guard: GuardSettings | null;
  /** Whether groups give users roles. */
  mapsRoles: boolean;
  /** Bodies of requests are logged until then. */
  captureUntil: Date | null;
  /** True if new events are queued for delivery, false if they are only logged. */
  isSending: boolean;
  /** Whether the key service learns what becomes of its people. */
  isLinked: boolean;
}

/** A DirectoryAccess as it is stored; null without tokens. */
export type AccessRow = Omit<DirectoryAccess, 'scimTokens'> & {
  scimTokens: PublishedToken[] | null;
};

/** The directory that a statement writes to. */
export interface WriteScope {
  readonly directoryId: string;
  /** Write only if the directory has this revision; null for any. */
  readonly revision: number | null;
  /** Whether the statement returns the events that it wrote. */
  readonly wantsEvents: boolean;
}
