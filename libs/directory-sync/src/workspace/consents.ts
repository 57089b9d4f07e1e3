/**
 * The way of an administrator to a provider and back: the code flow of OAuth with PKCE (RFC 6749, RFC 7636),
 * or the consent to the permissions of an application. Each authorization ends once, by its state.
 */
import { randomToken, sha256 } from '@gatehouse/crypto';
import { isUuid } from '@gatehouse/kit/ids';
import { InputReader, invalidField } from '@gatehouse/kit/input';
import { type SqlExecutor } from '@gatehouse/kit/sql';
import { type Tokens, type WorkspaceProvider } from '@gatehouse/workspace-providers';
import { type Connection } from '../connections/connection.types.js';
import { type OAuthStates, type ReadState } from './oauth-states.js';
import { sealedTokens, type WorkspaceConnectionsContext } from './workspace-connections.js';

export const CALLBACK_PATH = '/api/scim/oauth/callback';

const STATE_TTL_SECONDS = 600;
const TEXT = { max: 4_096 };

/** Query parameters that a provider adds to the callback address. */
export interface AuthorizationAnswer {
  state?: unknown;
  code?: unknown;
  error?: unknown;
  /** `True` after the consent to the permissions of an application, which brings no code. */
  admin_consent?: unknown;
  /** The tenant of Entra ID whose administrator has consented. */
  tenant?: unknown;
}

export interface ReadAnswer {
  state: string;
  code: string;
  error: string;
  isGranted: boolean;
  tenant: string;
}

/** A consent, or the reason for its absence. */
export type ConsentEnd =
  | {
      outcome: 'granted';
      /** Null for access that belongs to the application itself. */
      tokens: Tokens | null;
    }
  /** `expired`: the state is unknown, was used, or is too old; `incomplete`: scopes are missing. */
  | { outcome: 'expired' | 'refused' | 'unanswered' | 'incomplete' | 'wrong_account' };

export interface ConsentsContext extends Omit<WorkspaceConnectionsContext, 'sql'> {
  states: OAuthStates;
  externalUrl: string;
}

type ConnectedDirectory = { id: string; connection: Connection };

/** @throws DomainError 400 */
export function readAnswer(answer: AuthorizationAnswer | null | undefined): ReadAnswer {
  const input = InputReader.ofQuery(answer ?? {});
  const read = {
    state: input.requiredText('state', TEXT),
    code: input.text('code', TEXT),
    error: input.text('error', TEXT),
    isGranted: input.text('admin_consent', TEXT).toLowerCase() === 'true',
    tenant: input.text('tenant', TEXT),
  };
  input.throwIfInvalid();
  return read;
}

export class Consents {
  constructor(private readonly context: ConsentsContext) {}

  /** The address at which an administrator consents, once, for 10 minutes. @throws WorkspaceError */
  async begin(
    { id, connection }: ConnectedDirectory,
    linkId: string | null = null,
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
    const authorization = { stateSha256, directoryId: id, linkId, verifierSealed };
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
    const verifierSealed = await this.context.connections.takeAuthorization(state);
    if (verifierSealed === undefined) return { outcome: 'expired' };
    if (error === 'access_denied') return { outcome: 'refused' };
    if (error !== '') return { outcome: 'unanswered' };
    if (provider.consentKind(connection) === 'application') {
      if (!isGranted) return { outcome: 'unanswered' };
      const isOther = isOtherTenant(connection.domain, tenant);
      return isOther ? { outcome: 'wrong_account' } : { outcome: 'granted', tokens: null };
    }
    if (code === '') return { outcome: 'unanswered' };
    const tokens = await this.exchange({ id, connection }, code, verifierSealed);
    const isWhole = hasScopes(tokens, provider);
    return isWhole ? { outcome: 'granted', tokens } : { outcome: 'incomplete' };
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

  /** Stores the access that was granted. */
  async store(directoryId: string, tokens: Tokens | null, sql: SqlExecutor): Promise<void> {
    const { connections, secrets } = this.context;
    if (tokens === null) return connections.markAuthorized(directoryId, sql);
    await connections.setTokens(sql, directoryId, sealedTokens(secrets, directoryId, tokens));
  }

  /** @throws DomainError 400 for a directory that is read without consent */
  providerOf({ provider: name, administrator }: Connection): WorkspaceProvider {
    const provider = this.context.providers.of(name);
    if (provider.consentKind({ administrator }) !== 'none') return provider;
    throw invalidField('directoryId', 'must be a directory that needs consent');
  }

  private get redirectUri(): string {
    return this.context.externalUrl + CALLBACK_PATH;
  }
}

/** Administrators may leave out scopes. An answer without any means those that were asked for. */
function hasScopes({ scope }: Tokens, { consentScopes }: WorkspaceProvider): boolean {
  const granted = scope.split(' ');
  return scope === '' || consentScopes.every((each) => granted.includes(each));
}

/** Only ids can be compared: a tenant has many domains. */
function isOtherTenant(domain: string | null, tenant: string): boolean {
  return isUuid(domain ?? '') && isUuid(tenant) && tenant.toLowerCase() !== domain;
}
