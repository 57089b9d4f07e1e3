import { Access, consentedTokens, ownTokens } from '../http/access.js';
import { type ProviderHttp } from '../http/provider-http.js';
import { ProviderRequests } from '../http/provider-requests.js';
import { type RequestPacer } from '../http/request-pacer.js';
import {
  type AuthorizationRequest,
  type CodeExchange,
  type Credentials,
  type Tokens,
  type WorkspaceChannels,
  type WorkspaceProvider,
  type WorkspaceSession,
} from '../provider.js';
import { GOOGLE_TOPICS, GoogleChannels, googleNotification } from './google.channels.js';
import { GoogleSession, type GoogleSessionContext } from './google.session.js';
import { type GoogleSettings } from './google.settings.js';
import { GOOGLE_SCOPES, GoogleTokens } from './google-tokens.js';
import { GOOGLE } from './google.errors.js';

/**
 * Google Workspace. A directory that names an administrator is read by the service account with
 * domain-wide delegation, any other with the consent of an administrator.
 */
export class GoogleProvider implements WorkspaceProvider {
  readonly name = 'google';
  readonly capabilities = { consent: true, appOnly: true, changes: false, push: true };
  readonly consentScopes = GOOGLE_SCOPES;
  readonly topics = GOOGLE_TOPICS;
  readonly readNotification = googleNotification;
  private readonly tokens: GoogleTokens;
  private readonly requests: ProviderRequests;

  constructor(
    private readonly settings: GoogleSettings,
    http: ProviderHttp,
    pacer: RequestPacer,
    delayMs?: number,
  ) {
    this.tokens = new GoogleTokens(settings, http.fetch);
    this.requests = new ProviderRequests(http, pacer, GOOGLE, delayMs);
  }

  requireClient(): void {
    this.tokens.requireClient();
  }

  authorizationUrl(request: AuthorizationRequest): string {
    return this.tokens.authorizationUrl(request);
  }

  exchange(request: CodeExchange): Promise<Tokens> {
    return this.tokens.exchange(request);
  }

  refresh(refreshToken: string): Promise<Tokens> {
    return this.tokens.refresh(refreshToken);
  }

  consentKind({ administrator }: Pick<Credentials, 'administrator'>): 'code' | 'none' {
    return administrator === null ? 'code' : 'none';
  }

  accountOf(credentials: Credentials): Promise<string | null> {
    return new GoogleSession(this.contextOf(credentials)).customerId();
  }

  open(credentials: Credentials): WorkspaceSession {
    return new GoogleSession(this.contextOf(credentials));
  }

  channels(credentials: Credentials): WorkspaceChannels {
    return new GoogleChannels(this.contextOf(credentials));
  }

  private contextOf(credentials: Credentials): GoogleSessionContext {
    const { directoryId, domain, administrator } = credentials;
    const source =
      administrator === null
        ? consentedTokens(credentials, (refreshToken) => this.refresh(refreshToken))
        : ownTokens(() => this.tokens.delegated(administrator));
    const { requests, settings } = this;
    const { apiUrl } = settings;
    return { requests, access: new Access(source), apiUrl, directoryId, domain };
  }
}
