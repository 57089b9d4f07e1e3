import { type ProviderName } from '@gatehouse/workspace-providers';

/** Why a new directory needs authorization. */
export const NOT_CONNECTED =
  'The directory is not connected yet: an administrator must open its authorization URL.';

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
  /** The PKCE code verifier. */
  verifierSealed: string;
}
