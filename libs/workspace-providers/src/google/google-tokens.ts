/**
 * Tokens of Google, obtained by google-auth-library: the code flow with PKCE, refreshes, and the
 * assertions of a service account with domain-wide delegation. The library sends all its requests by
 * the given fetch, so they pass the outbound policy.
 */
import { CodeChallengeMethod, JWT, OAuth2Client, type Credentials } from 'google-auth-library';
import { expiryOf } from '../http/access.js';
import { type AuthorizationRequest, type CodeExchange, type Tokens } from '../provider.js';
import { WorkspaceError } from '../workspace.errors.js';
import { tokenFault } from './google.errors.js';
import { type GoogleSettings } from './google.settings.js';

const DIRECTORY_SCOPE = 'https://www.googleapis.com/auth/admin.directory';
export const GOOGLE_SCOPES = [
  `${DIRECTORY_SCOPE}.user.readonly`,
  `${DIRECTORY_SCOPE}.group.readonly`,
  `${DIRECTORY_SCOPE}.group.member.readonly`,
];
/** The token URL of the library for service accounts; it cannot be configured. */
const LIBRARY_TOKEN_URL = 'https://oauth2.googleapis.com/token';

export class GoogleTokens {
  private readonly transporterOptions;

  constructor(
    private readonly settings: GoogleSettings,
    fetchImplementation: typeof fetch,
  ) {
    const { tokenUrl } = settings;
    const fetchToken: typeof fetch = (input, init) =>
      fetchImplementation(urlOf(input) === LIBRARY_TOKEN_URL ? tokenUrl : input, init);
    // Retries are the caller's: a code or a rotated refresh token must not be sent twice.
    const retryConfig = { retry: 0, noResponseRetries: 0 };
    this.transporterOptions = { fetchImplementation: fetchToken, retryConfig };
  }

  /** @throws WorkspaceError without a client that codes can be exchanged for */
  requireClient(): void {
    this.client();
    if (this.settings.clientSecret !== '') return;
    const message = 'The OAuth client of Google has no secret (WORKSPACE_CLIENT_SECRET).';
    throw new WorkspaceError('forbidden', message);
  }

  authorizationUrl({ state, codeChallenge, redirectUri, domain }: AuthorizationRequest): string {
    return this.client().generateAuthUrl({
      access_type: 'offline',
      // Without it, Google gives a refresh token for the first consent of an account only.
      prompt: 'consent',
      scope: GOOGLE_SCOPES,
      state,
      code_challenge: codeChallenge,
      code_challenge_method: CodeChallengeMethod.S256,
      redirect_uri: redirectUri,
      ...(domain === null ? {} : { hd: domain }),
    });
  }

  async exchange({ code, codeVerifier, redirectUri }: CodeExchange): Promise<Tokens> {
    const options = { code, codeVerifier, redirect_uri: redirectUri };
    const tokens = await answered(this.client().getToken(options));
    return tokensOf(tokens.tokens);
  }

  async refresh(refreshToken: string): Promise<Tokens> {
    const client = this.client();
    // The library puts the old refresh token in place of one that the answer brings; its event does not.
    let received: Tokens | undefined;
    client.on('tokens', (tokens) => (received = tokensOf(tokens)));
    client.setCredentials({ refresh_token: refreshToken });
    const { credentials } = await answered(client.refreshAccessToken());
    return received ?? tokensOf(credentials);
  }

  /** A token in the name of an administrator who delegated to the service account. */
  async delegated(administrator: string): Promise<Tokens> {
    const { serviceAccount } = this.settings;
    if (!serviceAccount) {
      const message =
        'The directory names an administrator, but this service has no service account of Google (WORKSPACE_SERVICE_ACCOUNT).';
      throw new WorkspaceError('forbidden', message);
    }
    const { clientEmail: email, privateKey: key } = serviceAccount;
    const { transporterOptions } = this;
    const jwt = new JWT({
      email,
      key,
      transporterOptions,
      scopes: GOOGLE_SCOPES,
      subject: administrator,
    });
    return tokensOf(await answered(jwt.authorize()));
  }

  private client(): OAuth2Client {
    const { clientId, clientSecret, authUrl, tokenUrl } = this.settings;
    if (clientId === '') {
      const message = 'This service has no OAuth client of Google (WORKSPACE_CLIENT_ID).';
      throw new WorkspaceError('forbidden', message);
    }
    const { transporterOptions } = this;
    const endpoints = { oauth2AuthBaseUrl: authUrl, oauth2TokenUrl: tokenUrl };
    return new OAuth2Client({ clientId, clientSecret, endpoints, transporterOptions });
  }
}

function urlOf(input: string | URL | Request): string {
  return input instanceof Request ? input.url : input.toString();
}

async function answered<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    throw tokenFault(error);
  }
}

/** Characters that PostgreSQL cannot store, and that no token contains. */
const UNSTORABLE = /[\p{Cc}\p{Cs}]/u;

/** @throws WorkspaceError if there is no access token, or a member is no text that can be stored */
function tokensOf(tokens: Credentials): Tokens {
  const { access_token: accessToken, refresh_token: refreshToken, expiry_date: expiry } = tokens;
  // The library passes on whatever JSON the answer has.
  const texts: unknown[] = [accessToken, refreshToken, tokens.scope, tokens.token_type];
  const isText = (value: unknown) => typeof value === 'string' && !UNSTORABLE.test(value);
  if (!texts.every((value) => value === undefined || value === null || isText(value))) {
    throw new WorkspaceError('invalid_response', 'Google gave tokens that cannot be read.');
  }
  if (!accessToken) throw new WorkspaceError('invalid_response', 'Google gave no access token.');
  return {
    accessToken,
    refreshToken: refreshToken && refreshToken !== 'jwt-placeholder' ? refreshToken : null,
    scope: tokens.scope ?? '',
    tokenType: tokens.token_type ?? 'Bearer',
    expiresAt: expiryOf(expiry),
  };
}
