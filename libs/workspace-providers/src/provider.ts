/**
 * The interface of a workspace provider: a small module that lists users, groups and members by page, and
 * obtains the access to do so. No database, no queue.
 */
import { type ScimResource } from '@gatehouse/scim';

export type ProviderName = 'google' | 'entra';

/** The providers that directories can be created with. */
export const PROVIDERS: readonly ProviderName[] = ['google', 'entra'];

export interface WorkspaceUser {
  /** The immutable id at the provider; `externalId` of the resource. */
  id: string;
  /** A core User, with the enterprise extension if the provider has values for it. */
  resource: ScimResource;
  /** Path of the organizational unit, such as `/Sales/North`. */
  orgUnit: string | null;
}

export interface WorkspaceGroup {
  /** The immutable id at the provider; `externalId` of the resource. */
  id: string;
  /** A core Group without members. */
  resource: ScimResource;
  email: string | null;
}

export interface WorkspaceMember {
  id: string;
  kind: 'user' | 'group';
}

export interface Page<Item> {
  items: Item[];
  /** Token of the next page; null after the last. */
  next: string | null;
  /** Requests that the page took, retries included. */
  calls: number;
}

/** Changes of users, groups or members, as a provider reports them. */
export interface Changes {
  /** Whether something has changed, or may have. */
  hasChanged: boolean;
  /** Stands for the present state; null if there is no such token. It may be as secret as a page token. */
  token: string | null;
  /** Requests that the answer took, retries included. */
  calls: number;
}

/** The answer of a provider without the capability `changes`. */
export const UNKNOWN_CHANGES: Changes = { hasChanged: true, token: null, calls: 0 };

/**
 * Access to one directory at its provider, for one run. Each method throws a `WorkspaceError`, or the
 * reason of the signal once it is aborted.
 */
export interface WorkspaceSession {
  listUsers(page: string | null, signal?: AbortSignal): Promise<Page<WorkspaceUser>>;
  listGroups(page: string | null, signal?: AbortSignal): Promise<Page<WorkspaceGroup>>;
  listMembers(
    groupId: string,
    page: string | null,
    signal?: AbortSignal,
  ): Promise<Page<WorkspaceMember>>;
  /** Changes since a token was given; without a token, a token of the present state. */
  changesSince(token: string | null, signal?: AbortSignal): Promise<Changes>;
}

export interface Tokens {
  accessToken: string;
  /** Null if the provider gave none: the one that was used stays valid. */
  refreshToken: string | null;
  /** Separated by spaces. */
  scope: string;
  tokenType: string;
  expiresAt: Date | null;
}

/** How a session proves its right to a directory. */
export interface Credentials {
  /** Decides whose turn it is when directories compete for the quota of a project. */
  directoryId: string;
  /** The primary domain of the workspace, or the tenant at Entra ID. */
  domain: string | null;
  /** The administrator whose rights an application with access of its own uses, where it needs one. */
  administrator: string | null;
  /** The tokens of a consent; null for access that belongs to the application itself. */
  tokens: StoredTokens | null;
}

export interface StoredTokens {
  current(): Promise<Tokens>;
  /**
   * Runs `refresh` for one process at a time and stores its tokens, unless another process has
   * replaced `stale` meanwhile: then its tokens are the answer.
   */
  replace(stale: Tokens, refresh: (refreshToken: string) => Promise<Tokens>): Promise<Tokens>;
}

/**
 * The kind of consent. `code`: access in the name of the administrator, whose tokens are
 * stored. `application`: the permissions of the application, which then has access of its own. `none`:
 * it has access of its own already.
 */
export type ConsentKind = 'code' | 'application' | 'none';

export interface Capabilities {
  /** An administrator consents in the browser (OAuth code flow). */
  consent: boolean;
  /** The application has access of its own, without consent of a user. */
  appOnly: boolean;
  /** Whether the provider reports changes without a listing. */
  changes: boolean;
  /** Whether the provider sends change notifications. */
  push: boolean;
}

/** The resource that a notification channel watches; a directory has one channel per topic. */
export type Topic = string;

/** A channel to open at the provider. */
export interface NewChannel {
  /** Ours, and part of the address. Never used twice. */
  id: string;
  topic: Topic;
  /** Where notifications are sent. */
  address: string;
  /** Comes with each notification and proves it. */
  token: string;
}

export interface OpenChannel {
  id: string;
  /** The name of the channel at the provider. */
  providerId: string;
}

export interface Grant {
  providerId: string;
  /** The provider may grant less time than it was asked for. */
  expiresAt: Date;
}

/**
 * Notification channels of one directory. Nothing is tried again here. Each method throws a
 * `WorkspaceError`, or the reason of the signal once it is aborted.
 */
export interface WorkspaceChannels {
  open(channel: NewChannel, signal?: AbortSignal): Promise<Grant>;
  /** Null if the channel cannot be prolonged: another one takes its place. */
  renew(channel: OpenChannel, signal?: AbortSignal): Promise<Grant | null>;
  close(channel: OpenChannel, signal?: AbortSignal): Promise<void>;
}

/** A request to the address of a channel, as it arrived. */
export interface NotificationRequest {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  query: Readonly<Record<string, unknown>>;
  body: Buffer;
}

/**
 * The meaning of a request to the address of a channel. `handshake`: the provider checks the address, and
 * expects `text` back. `changed`: something has changed, or may have. `none`: nothing has changed.
 */
export type Notification =
  | { kind: 'handshake'; text: string }
  | { kind: 'changed' | 'none'; tokens: string[]; wantsRenewal: boolean };

export interface AuthorizationRequest {
  state: string;
  /** PKCE challenge, method S256. */
  codeChallenge: string;
  redirectUri: string;
  domain: string | null;
}

export interface CodeExchange {
  code: string;
  codeVerifier: string;
  redirectUri: string;
}

export interface WorkspaceProvider {
  readonly name: ProviderName;
  readonly capabilities: Capabilities;
  /** Scopes that a `code` consent must include; empty for other kinds. */
  readonly consentScopes: readonly string[];
  /** @throws WorkspaceError if this service is no client of the provider, so that no one can consent */
  requireClient(): void;
  authorizationUrl(request: AuthorizationRequest): string;
  /** @throws WorkspaceError */
  exchange(request: CodeExchange): Promise<Tokens>;
  /** @throws WorkspaceError */
  refresh(refreshToken: string): Promise<Tokens>;
  /**
   * The account whose users are read, by its immutable id; null if the provider names none.
   *
   * @throws WorkspaceError
   */
  accountOf(credentials: Credentials): Promise<string | null>;
  /** Opens no connection; refreshes tokens when a request needs it. */
  open(credentials: Credentials): WorkspaceSession;
  consentKind(directory: Pick<Credentials, 'administrator'>): ConsentKind;
  /** Empty without the capability `push`. */
  readonly topics: readonly Topic[];
  /** As `open`. */
  channels(credentials: Credentials): WorkspaceChannels;
  /** Trusts nothing: the tokens are for the caller to check. */
  readNotification(request: NotificationRequest): Notification;
}
