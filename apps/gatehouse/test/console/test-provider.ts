/** An OpenID provider that signs people in without asking. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenOnLoopback } from '@gatehouse/testing';

export type Claims = Readonly<Record<string, unknown>>;

export interface TestProvider {
  readonly issuer: string;
  /** Who signs in next. */
  person: Claims & { readonly sub: string };
  /** The parameters of the last request for a sign-in. */
  readonly asked: URLSearchParams;
  /** Whether the ID token has all claims; otherwise the userinfo endpoint has them. */
  hasFullIdTokens: boolean;
  close(): Promise<void>;
}

interface Interaction {
  prompt: { name: string };
}

interface Provider {
  callback(): (request: IncomingMessage, response: ServerResponse) => void;
  interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
  interactionFinished(
    request: IncomingMessage,
    response: ServerResponse,
    result: object,
  ): Promise<void>;
}

interface Context {
  oidc: {
    provider: {
      Grant: new (of: object) => { addOIDCScope(scope: string): void; save(): Promise<string> };
    };
    client: { clientId: string };
    session: { accountId: string };
  };
}

/** It has no types, so the compiler must not look for them. */
const PROVIDER_PACKAGE: string = 'oidc-provider';
export const CLIENT_ID = 'console';
export const SCOPES = 'openid profile email groups';

/** @param origin of the console */
export async function startProvider(origin: string): Promise<TestProvider> {
  let answer: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;
  const server = createServer((request, response) => answer(request, response));
  const issuer = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  const { default: Provider } = (await import(PROVIDER_PACKAGE)) as {
    default: new (issuer: string, options: object) => Provider;
  };
  const provider = (conformIdTokenClaims: boolean) =>
    new Provider(issuer, {
      conformIdTokenClaims,
      clients: [
        {
          client_id: CLIENT_ID,
          token_endpoint_auth_method: 'none',
          redirect_uris: [`${origin}/console/sign-in/callback`],
          post_logout_redirect_uris: [`${origin}/console/sign-in`],
        },
      ],
      claims: {
        openid: ['sub'],
        profile: ['name'],
        email: ['email', 'email_verified'],
        groups: ['groups'],
      },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context: object, { uid }: { uid: string }) => `/interaction/${uid}` },
      findAccount: (_context: object, accountId: string) => ({
        accountId,
        claims: () => test.person,
      }),
      loadExistingGrant: async ({ oidc }: Context) => {
        const { clientId } = oidc.client;
        const grant = new oidc.provider.Grant({ clientId, accountId: oidc.session.accountId });
        grant.addOIDCScope(SCOPES);
        await grant.save();
        return grant;
      },
      ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
      cookies: { keys: ['a-key-of-the-tests'] },
    });
  const [slim, full] = [provider(true), provider(false)];
  const test = {
    issuer,
    person: { sub: 'not-set' } as TestProvider['person'],
    asked: new URLSearchParams(),
    hasFullIdTokens: false,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  answer = (request, response) => {
    const used = test.hasFullIdTokens ? full : slim;
    const url = new URL(request.url ?? '/', issuer);
    if (url.pathname === '/auth') test.asked = url.searchParams;
    if (!url.pathname.startsWith('/interaction/')) return used.callback()(request, response);
    void used.interactionFinished(request, response, { login: { accountId: test.person.sub } });
  };
  return test;
}
