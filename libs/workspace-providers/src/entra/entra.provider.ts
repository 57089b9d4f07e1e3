import {
  allowInsecureRequests,
  clientCredentialsGrant,
  ClientSecretPost,
  Configuration,
  customFetch,
} from 'openid-client';
import { Access, expiryOf, ownTokens } from '../http/access.js';
import { type ProviderHttp } from '../http/provider-http.js';
import { ProviderRequests } from '../http/provider-requests.js';
import { type RequestPacer } from '../http/request-pacer.js';
import {
  type AuthorizationRequest,
  type Credentials,
  type Tokens,
  type WorkspaceChannels,
  type WorkspaceProvider,
  type WorkspaceSession,
} from '../provider.js';
import { WorkspaceError } from '../workspace.errors.js';
import { ENTRA, tokenFault } from './entra.errors.js';
import { ENTRA_TOPICS, EntraChannels, entraNotification } from './entra.channels.js';
import { type EntraContext } from './entra.context.js';
import { EntraSession } from './entra.session.js';
import { type EntraSettings } from './entra.settings.js';

const SCOPE = '/.default';

/**
 * Microsoft Entra ID by Microsoft Graph, with the access of the application itself (client
 * credentials). An administrator of the tenant consents to its permissions; no token is stored.
 */
export class EntraProvider implements WorkspaceProvider {
  readonly name = 'entra';
  readonly capabilities = { consent: true, appOnly: true, changes: true, push: true };
  readonly consentScopes = [];
  readonly topics = ENTRA_TOPICS;
  readonly readNotification = entraNotification;
  private readonly requests: ProviderRequests;

  constructor(
    private readonly settings: EntraSettings,
    private readonly http: ProviderHttp,
    pacer: RequestPacer,
    delayMs?: number,
  ) {
    this.requests = new ProviderRequests(http, pacer, ENTRA, delayMs);
  }

  requireClient(): void {
    this.clientId();
  }

  /** https://learn.microsoft.com/entra/identity-platform/v2-admin-consent */
  authorizationUrl({ state, redirectUri, domain }: AuthorizationRequest): string {
    const url = new URL(`${this.settings.loginUrl}/${tenantOf(domain)}/adminconsent`);
    url.searchParams.set('client_id', this.clientId());
    url.searchParams.set('state', state);
    url.searchParams.set('redirect_uri', redirectUri);
    return url.href;
  }

  exchange(): Promise<Tokens> {
    return Promise.reject(noStoredTokens());
  }

  refresh(): Promise<Tokens> {
    return Promise.reject(noStoredTokens());
  }

  consentKind(): 'application' {
    return 'application';
  }

  /** The tenant is named by the answer to the consent. */
  accountOf(): Promise<null> {
    return Promise.resolve(null);
  }

  open(credentials: Credentials): WorkspaceSession {
    return new EntraSession(this.contextOf(credentials));
  }

  channels(credentials: Credentials): WorkspaceChannels {
    return new EntraChannels(this.contextOf(credentials));
  }

  private contextOf({ directoryId, domain }: Credentials): EntraContext {
    const { requests, settings } = this;
    const access = new Access(ownTokens(() => this.token(tenantOf(domain))));
    return { requests, access, apiUrl: settings.apiUrl, directoryId };
  }

  private async token(tenant: string): Promise<Tokens> {
    const { clientSecret, loginUrl, apiUrl } = this.settings;
    const issuer = `${loginUrl}/${tenant}`;
    const server = { issuer: `${issuer}/v2.0`, token_endpoint: `${issuer}/oauth2/v2.0/token` };
    const authentication = ClientSecretPost(clientSecret);
    const client = new Configuration(server, this.clientId(), undefined, authentication);
    client[customFetch] = (url, { method, headers, body, signal }) =>
      this.http.fetch(url, { method, headers, signal, ...textOrForm(body) });
    // The outbound policy decides about addresses; the default is HTTPS.
    if (loginUrl.startsWith('http:')) allowInsecureRequests(client);
    try {
      const scope = new URL(apiUrl).origin + SCOPE;
      const answer = await clientCredentialsGrant(client, { scope });
      const seconds = answer.expiresIn();
      return {
        accessToken: answer.access_token,
        refreshToken: null,
        scope,
        tokenType: 'Bearer',
        expiresAt: expiryOf(seconds === undefined ? null : Date.now() + seconds * 1_000),
      };
    } catch (error) {
      throw tokenFault(error);
    }
  }

  private clientId(): string {
    const { clientId } = this.settings;
    if (clientId !== '') return clientId;
    const message = 'This service has no application at Entra ID (WORKSPACE_ENTRA_CLIENT_ID).';
    throw new WorkspaceError('forbidden', message);
  }
}

function textOrForm(body: unknown): { body?: string | URLSearchParams } {
  return typeof body === 'string' || body instanceof URLSearchParams ? { body } : {};
}

function tenantOf(domain: string | null): string {
  if (domain !== null) return encodeURIComponent(domain);
  const message = 'The directory names no tenant of Entra ID; set workspace_domain.';
  throw new WorkspaceError('forbidden', message);
}

function noStoredTokens(): WorkspaceError {
  const message = 'Directories of Entra ID are read by the application itself, without codes.';
  return new WorkspaceError('forbidden', message);
}
