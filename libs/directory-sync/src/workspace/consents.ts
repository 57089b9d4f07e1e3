/**
 * The way of an administrator to a provider and back: the code flow of OAuth with PKCE (RFC 6749, RFC 7636),
 * or the consent to the permissions of an application. Each authorization ends once, by its state.
 */
import { randomToken, sha256 } from '@gatehouse/crypto';
import { isUuid } from '@gatehouse/kit/ids';
import { InputReader, invalidField } from '@gatehouse/kit/input';
import { type SqlExecutor } from '@gatehouse/kit/sql';
import {
  type Tokens,
  WorkspaceError,
  type WorkspaceErrorKind,
  type StoredTokens,
  type WorkspaceProvider,
} from '@gatehouse/workspace-providers';
import { type Authorization, type Connection } from '../connections/connection.types.js';
import { type OAuthStates, type ReadState } from './oauth-states.js';
import {
  sealedTokens,
  type WorkspaceConnections,
  type WorkspaceConnectionsContext,
} from './workspace-connections.js';

export const CALLBACK_PATH = '/api/scim/oauth/callback';

const STATE_TTL_SECONDS = 600;
const TEXT = { max: 4_096 };
const REFUSALS: readonly WorkspaceErrorKind[] = ['needs_authorization', 'forbidden', 'not_found'];

/** Query parameters that a provider adds to the callback address. */
export interface AuthorizationAnswer {
  state?: unknown;
  code?: unknown;
  error?: unknown;
  /** `True` after the consent to the permissions of an application, which brings no code. */
  admin_consent?: unknown;
  /** The ID of the Entra ID tenant whose administrator has consented. */
  tenant?: unknown;
}

export interface ReadAnswer {
  state: string;
  code: string;
  error: string;
  isGranted: boolean;
  tenant: string;
}

export interface GrantedAccess {
  /** Null for access that belongs to the application itself. */
  tokens: Tokens | null;
  /** The account of the consent; null if it is unknown. */
  account: string | null;
  /** The account of access that was stored without it; null without such access or if it is unknown. */
  accountBefore: string | null;
  /** Who began the authorization; null if that was not stored. */
  caller: string | null;
}

/** A consent, or the reason for its absence. */
export type ConsentEnd =
  | { outcome: 'granted'; grant: GrantedAccess }
  /** `expired`: the state is unknown, was used, or is too old; `incomplete`: scopes are missing. */
  | { outcome: 'expired' | 'refused' | 'unanswered' | 'incomplete' | 'wrong_account' };

export interface ConsentsContext extends Omit<WorkspaceConnectionsContext, 'sql'> {
  states: OAuthStates;
  opened: Pick<WorkspaceConnections, 'accountOf'>;
  externalUrl: string;
}

/** Who begins an authorization, and the setup link on whose pages. */
export type Beginner = Pick<Authorization, 'caller' | 'linkId'>;

type ConnectedDirectory = { id: string; connection: Connection };

/** @throws DomainError 400 */
export function readAnswer(answer: AuthorizationAnswer | null | undefined): ReadAnswer {
  const input = InputReader.ofQuery(answer ?? {});
  const read = {
    state: input.requiredText('state', TEXT),
    code: input.text('code', TEXT),
    error: input.text('error', TEXT),
    isGranted: input.text('admin_consent', TEXT).toLowerCase() === 'true',
    tenant: input.text('tenant', TEXT).toLowerCase(),
  };
  input.throwIfInvalid();
  return read;
}

export class Consents {
  constructor(private readonly context: ConsentsContext) {}

  /** The address at which an administrator consents, once, for 10 minutes. @throws WorkspaceError */
  async begin(
    { id, connection }: ConnectedDirectory,
    { caller, linkId }: Beginner,
    sql?: SqlExecutor,
  ): Promise<string> {
    const { connections, secrets, states } = this.context;
    const { state, sha256: stateSha256 } = states.issue(id, linkId);
    const verifier = randomToken();
    const authorizationUrl = this.providerOf(connection).authorizationUrl({
      state,
      codeChallenge: sha256(verifier).toString('base64url'),
      redirectUri: this.redirectUri,
      domain: connection.domain,
    });
    const verifierSealed = secrets.seal(id, 'workspace_verifier', verifier);
    const authorization = { stateSha256, directoryId: id, linkId, caller, verifierSealed };
    await connections.beginAuthorization(authorization, STATE_TTL_SECONDS, sql);
    return authorizationUrl;
  }

  /** Ends an authorization with what the provider answered. Nothing is stored. @throws WorkspaceError */
  async end(
    { id, connection }: ConnectedDirectory,
    state: ReadState,
    { code, error, isGranted, tenant }: ReadAnswer,
  ): Promise<ConsentEnd> {
    const provider = this.providerOf(connection);
    const authorization = await this.context.connections.takeAuthorization(state);
    if (!authorization) return { outcome: 'expired' };
    const { caller } = authorization;
    if (error === 'access_denied') return { outcome: 'refused' };
    if (error !== '') return { outcome: 'unanswered' };
    if (provider.consentKind(connection) === 'application') {
      if (!isGranted) return { outcome: 'unanswered' };
      if (isOtherTenant(connection.domain, tenant)) return { outcome: 'wrong_account' };
      const account = isUuid(tenant) ? tenant : null;
      const grant = { tokens: null, account, accountBefore: null, caller };
      return { outcome: 'granted', grant };
    }
    if (code === '') return { outcome: 'unanswered' };
    const tokens = await this.exchange({ id, connection }, code, authorization.verifierSealed);
    if (!hasScopes(tokens, provider)) return { outcome: 'incomplete' };
    const accountBefore = await this.accountBefore(connection);
    const account = await this.accountOf(connection, tokens);
    return { outcome: 'granted', grant: { tokens, account, accountBefore, caller } };
  }

  /** @throws WorkspaceError */
  exchange(
    { id, connection }: ConnectedDirectory,
    code: string,
    verifierSealed: string,
  ): Promise<Tokens> {
    const codeVerifier = this.context.secrets.open(id, 'workspace_verifier', verifierSealed);
    const { redirectUri } = this;
    return this.providerOf(connection).exchange({ code, codeVerifier, redirectUri });
  }

  /**
   * Stores the access that was granted, unless the directory is connected to another account. The lock lets
   * consents of several accounts wait for each other.
   *
   * @returns whether it was stored
   */
  async store(directoryId: string, grant: GrantedAccess, sql: SqlExecutor): Promise<boolean> {
    const { tokens, account, accountBefore } = grant;
    const connection = await this.context.connections.lock(sql, directoryId);
    const connected = connection?.account ?? accountBefore;
    if (connected !== null && connected !== account) return false;
    await this.replace(directoryId, { tokens, account }, sql);
    return true;
  }

  /** Stores access, whatever account the directory is connected to. */
  async replace(
    directoryId: string,
    { tokens, account }: Pick<GrantedAccess, 'tokens' | 'account'>,
    sql: SqlExecutor,
  ): Promise<void> {
    const { connections, secrets } = this.context;
    await connections.setAccount(sql, directoryId, account);
    if (tokens === null) return connections.markAuthorized(directoryId, sql);
    await connections.setTokens(sql, directoryId, sealedTokens(secrets, directoryId, tokens));
  }

  /** @throws DomainError 400 for a directory that is read without consent */
  providerOf({ provider: name, administrator }: Connection): WorkspaceProvider {
    const provider = this.context.providers.of(name);
    if (provider.consentKind({ administrator }) !== 'none') return provider;
    throw invalidField('directoryId', 'must be a directory that needs consent');
  }

  /** Asks for the account of tokens that were stored without it. */
  private async accountBefore(connection: Connection): Promise<string | null> {
    const { directoryId, account, accessTokenSealed } = connection;
    if (account !== null || accessTokenSealed === null) return null;
    return unlessRefused(this.context.opened.accountOf(directoryId));
  }

  private accountOf(connection: Connection, issued: Tokens): Promise<string | null> {
    const { directoryId, domain, administrator } = connection;
    const stored = () => Promise.resolve(issued);
    const tokens: StoredTokens = { current: stored, replace: stored };
    const credentials = { directoryId, domain, administrator, tokens };
    return unlessRefused(this.providerOf(connection).accountOf(credentials));
  }

  private get redirectUri(): string {
    return this.context.externalUrl + CALLBACK_PATH;
  }
}

/** The account as the audit event of a consent names it. */
export const accountDetails = ({ account }: GrantedAccess): Record<string, string> =>
  account === null ? {} : { account };

/** Administrators may leave out scopes. An answer without any means those that were asked for. */
function hasScopes({ scope }: Tokens, { consentScopes }: WorkspaceProvider): boolean {
  const granted = scope.split(' ');
  return scope === '' || consentScopes.every((each) => granted.includes(each));
}

/** The account, or null if the access may not read the users that would name it. */
async function unlessRefused(account: Promise<string | null>): Promise<string | null> {
  try {
    return await account;
  } catch (error) {
    if (error instanceof WorkspaceError && REFUSALS.includes(error.kind)) return null;
    throw error;
  }
}

/** Only ids can be compared: a tenant has many domains. */
function isOtherTenant(domain: string | null, tenant: string): boolean {
  return isUuid(domain ?? '') && isUuid(tenant) && tenant !== domain;
}
