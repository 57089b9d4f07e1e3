/** The access token of a session: obtained when it is first needed, replaced before it expires. */
import { type Credentials, type Tokens } from '../provider.js';
import { WorkspaceError } from '../workspace.errors.js';

/** The end of the year 9999: later times are no answers of a provider. */
const EXPIRY_MAX_MS = Date.UTC(9999, 11, 31);

/** A token is replaced so long before it expires that the request with it still arrives. */
const MARGIN_MS = 60_000;

export interface TokenSource {
  current(): Promise<Tokens>;
  replace(stale: Tokens): Promise<Tokens>;
}

export class Access {
  private tokens: Promise<Tokens> | undefined;

  constructor(private readonly source: TokenSource) {}

  async token(): Promise<string> {
    const tokens = await this.current();
    const isExpiring = (tokens.expiresAt?.getTime() ?? Infinity) < Date.now() + MARGIN_MS;
    if (!isExpiring) return tokens.accessToken;
    return this.replace(tokens);
  }

  /** After a refusal of `token`: obtains another one, unless that has happened meanwhile. */
  async renew(token: string): Promise<void> {
    const tokens = await this.current();
    if (tokens.accessToken === token) await this.replace(tokens);
  }

  private current(): Promise<Tokens> {
    return this.remember(this.tokens ?? this.source.current());
  }

  private async replace(stale: Tokens): Promise<string> {
    const now = await this.current();
    // Concurrent requests of a session notice together that the token is stale.
    const next = now === stale ? this.remember(this.source.replace(stale)) : now;
    return (await next).accessToken;
  }

  /** A failure is not remembered: the next request may succeed. */
  private remember(tokens: Promise<Tokens>): Promise<Tokens> {
    if (this.tokens === tokens) return tokens;
    this.tokens = tokens;
    tokens.catch(() => {
      if (this.tokens === tokens) this.tokens = undefined;
    });
    return tokens;
  }
}

/** The source of tokens that an administrator has consented to. */
export function consentedTokens(
  { tokens }: Credentials,
  refresh: (refreshToken: string) => Promise<Tokens>,
): TokenSource {
  if (!tokens) {
    throw new WorkspaceError(
      'needs_authorization',
      'The directory is not connected: an administrator must open its authorization URL.',
    );
  }
  return {
    current: () => tokens.current(),
    replace: (stale) => tokens.replace(stale, refresh),
  };
}

/** The source of tokens of an application with access of its own. */
export function ownTokens(obtain: () => Promise<Tokens>): TokenSource {
  return { current: obtain, replace: obtain };
}

/** A time in milliseconds since 1970; null for one that is no time, so that 401 renews the token. */
export function expiryOf(ms: number | null | undefined): Date | null {
  const isTime = typeof ms === 'number' && ms > 0 && ms <= EXPIRY_MAX_MS;
  return isTime ? new Date(ms) : null;
}
