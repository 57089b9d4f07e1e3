import { type ProviderName } from '@gatehouse/workspace-providers';

/** Why a new directory needs authorization. */
export const NOT_CONNECTED =
  'The directory is not connected yet: an administrator must open its authorization URL.';

/** Why a directory that was connected needs authorization. */
export const DISCONNECTED =
  'An administrator has disconnected the directory; open an authorization URL to connect it again.';

export type ConnectionState = 'authorized' | 'needs_authorization';

/** The connection of a workspace directory to its provider. Tokens are sealed. */
export interface Connection extends SealedTokens {
  directoryId: string;
  provider: ProviderName;
  /** The domain of the workspace, or the tenant at Entra ID; null for the whole account. */
  domain: string | null;
  /** In whose name a service account reads; null if an administrator consents. */
  administrator: string | null;
  state: ConnectionState;
  /**
   * The account whose administrator has consented: the customer ID at Google, the tenant ID at Entra ID; null
   * before a consent, or if it is unknown.
   */
  account: string | null;
  /** Until a consent or other settings, access of the application itself is not used either. */
  disconnected: boolean;
  /** Why it needs authorization, in words for an administrator. */
  reason: string | null;
  /** When the state changed. */
  changedAt: Date;
  /** Incremented with the tokens, so that a late failure of old tokens does not end new ones. */
  version: number;
  /** Until when its channels send notifications; null if they are not open. */
  pushUntil: Date | null;
  /** Why they are not open, or could not be renewed. */
  pushError: string | null;
}

export interface SealedTokens {
  accessTokenSealed: string | null;
  refreshTokenSealed: string | null;
  scope: string | null;
  tokenType: string | null;
  expiresAt: Date | null;
}

/** A connection without tokens. */
export type NewConnection = ConnectionSettings & Pick<Connection, 'state' | 'reason'>;

export type ConnectionSettings = Pick<Connection, 'provider' | 'domain' | 'administrator'>;

/** An authorization that an administrator has begun. Of its state, only a hash is kept. */
export interface Authorization {
  stateSha256: Buffer;
  directoryId: string;
  /** The setup link on whose pages it was begun. */
  linkId: string | null;
  /** Who began it, as audit events name callers. */
  caller: string;
  /** The PKCE code verifier. */
  verifierSealed: string;
}
