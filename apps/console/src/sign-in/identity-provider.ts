/**
 * Sign-in at an OpenID provider (OpenID Connect Core 1.0, section 3.1): authorization code with PKCE
 * (RFC 7636), state and nonce, which travel in a sealed cookie until the person comes back.
 */
import { KeyRing, openText, seal } from '@gatehouse/crypto';
import { DomainError } from '@gatehouse/kit/errors';
import { Injectable } from '@nestjs/common';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  ClientError,
  type Configuration,
  discovery,
  fetchUserInfo,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { ConsoleConfig } from '../config.js';
import { ConsoleErrors } from '../errors.js';
import { type Person } from '../sessions/sessions.service.js';

const PLACE = 'console:sign-in';
/** How long a person may take at the provider. */
export const SIGN_IN_SECONDS = 600;
/** How long the metadata of the provider is used, which has its keys. */
const METADATA_MS = 600_000;
const NAME_CHARACTERS_MAX = 200;

/** What the person returns with is checked against this. */
interface Attempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The path of the page that asked for the sign-in. */
  readonly returnTo: string;
  readonly expireMs: number;
}

@Injectable()
export class IdentityProvider {
  private readonly ring: KeyRing;
  private found: { configuration: Promise<Configuration>; untilMs: number } | undefined;

  constructor(private readonly config: ConsoleConfig) {
    this.ring = KeyRing.fromTexts(config.encryptionKeys);
  }

  get isConfigured(): boolean {
    return this.config.provider.issuer !== undefined;
  }

  /**
   * @param callbackUrl where the provider sends the person back to
   * @returns the address of the provider, and the content of the cookie
   */
  async begin(callbackUrl: string, returnTo: string): Promise<{ url: URL; cookie: string }> {
    const [state, nonce, verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()];
    const expireMs = Date.now() + SIGN_IN_SECONDS * 1_000;
    const attempt: Attempt = { state, nonce, verifier, returnTo, expireMs };
    const url = buildAuthorizationUrl(await this.configuration(), {
      redirect_uri: callbackUrl,
      scope: this.config.provider.scopes,
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    return { url, cookie: seal(this.ring, JSON.stringify(attempt), PLACE) };
  }

  /**
   * @param url the address that the person returned to, with the answer of the provider
   * @param cookie that of `begin`
   * @throws DomainError SIGN_IN_FAILED, PROVIDER_UNAVAILABLE
   */
  async finish(url: URL, cookie: string): Promise<{ person: Person; returnTo: string }> {
    const { state, nonce, verifier, returnTo } = this.attemptOf(cookie);
    const configuration = await this.configuration();
    try {
      const tokens = await authorizationCodeGrant(configuration, url, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      });
      const claims = tokens.claims() ?? failed();
      // Many providers put only some of the claims into the ID token.
      const about =
        configuration.serverMetadata().userinfo_endpoint !== undefined &&
        (await fetchUserInfo(configuration, tokens.access_token, claims.sub));
      return {
        person: this.personOf({ ...about, ...claims }, tokens.id_token ?? ''),
        returnTo,
      };
    } catch (cause) {
      if (cause instanceof DomainError) throw cause;
      const isUnreachable = isConnectionError(cause);
      throw new DomainError(
        isUnreachable ? ConsoleErrors.PROVIDER_UNAVAILABLE : ConsoleErrors.SIGN_IN_FAILED,
        { cause },
      );
    }
  }

  /** Where the person is signed out of the provider; undefined if it has no such page. */
  async signOutUrl(idToken: string, returnUrl: string): Promise<URL | undefined> {
    const configuration = await this.configuration();
    if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined;
    return buildEndSessionUrl(configuration, {
      id_token_hint: idToken,
      post_logout_redirect_uri: returnUrl,
    });
  }

  private attemptOf(cookie: string): Attempt {
    let attempt: Attempt;
    try {
      attempt = JSON.parse(openText(this.ring, cookie, PLACE)) as Attempt;
    } catch (cause) {
      throw new DomainError(ConsoleErrors.SIGN_IN_FAILED, { cause });
    }
    return attempt.expireMs > Date.now() ? attempt : failed();
  }

  private personOf(claims: Readonly<Record<string, unknown>>, idToken: string): Person {
    const { sub, email, email_verified: isVerified, name } = claims;
    const groups = claims[this.config.provider.groupsClaim];
    const id = typeof email === 'string' && isVerified !== false ? email : String(sub);
    return {
      id,
      name: shownName(name) || shownName(id),
      groups: (Array.isArray(groups) ? groups : [groups]).filter(
        (each) => typeof each === 'string',
      ),
      idToken,
    };
  }

  /** Read again after a while; a failure is not kept. */
  private configuration(): Promise<Configuration> {
    const known = this.found;
    if (known && known.untilMs > performance.now()) return known.configuration;
    const configuration = this.discover();
    this.found = { configuration, untilMs: performance.now() + METADATA_MS };
    configuration.catch(() => (this.found = undefined));
    return configuration;
  }

  private async discover(): Promise<Configuration> {
    const { issuer = '', clientId, clientSecret } = this.config.provider;
    const url = new URL(issuer);
    try {
      return await discovery(
        url,
        clientId,
        clientSecret || undefined,
        clientSecret ? undefined : None(),
        {
          timeout: 10,
          ...(url.protocol === 'http:' && { execute: [allowInsecureRequests] }),
        },
      );
    } catch (cause) {
      throw new DomainError(ConsoleErrors.PROVIDER_UNAVAILABLE, { cause });
    }
  }
}

/** A name without characters that are not shown, or that turn the text around it. */
function shownName(name: unknown): string {
  if (typeof name !== 'string') return '';
  return name
    .slice(0, NAME_CHARACTERS_MAX)
    .replace(/\p{C}+/gu, ' ')
    .trim();
}

/** What fetch throws, or openid-client after its timeout. */
function isConnectionError(error: unknown): boolean {
  if (error instanceof TypeError && error.message === 'fetch failed') return true;
  return error instanceof ClientError && error.code === 'OAUTH_TIMEOUT';
}

function failed(): never {
  throw new DomainError(ConsoleErrors.SIGN_IN_FAILED);
}
