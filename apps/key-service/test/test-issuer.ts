/** An issuer of OpenID Connect on a real port, whose keys, documents and faults a test chooses. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

export const AUDIENCE = 'https://keys.example.com';
export const MAIN = 'repo:octo-org/octo-repo:ref:refs/heads/main';

export interface TestIssuer {
  readonly url: string;
  /** The paths that were asked for. */
  readonly requests: string[];
  /** Answers in place of the documents; undefined for the documents. */
  answer: ((path: string, response: ServerResponse) => void) | undefined;
  /** A token as GitHub Actions get them; null leaves a claim out. */
  token(claims?: Record<string, unknown>, header?: Record<string, string>): Promise<string>;
  /** Signs with a new key from now on, and withdraws the key before. */
  rotate(algorithm?: string): Promise<void>;
  close(): Promise<void>;
}

export async function startIssuer(): Promise<TestIssuer> {
  let privateKey: CryptoKey;
  let published: JWK;
  const rotate = async (alg = 'ES256') => {
    const pair = await generateKeyPair(alg, { extractable: true });
    privateKey = pair.privateKey;
    published = { ...(await exportJWK(pair.publicKey)), kid: randomUUID(), alg, use: 'sig' };
  };
  await rotate();
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    issuer.requests.push(path);
    if (issuer.answer) return issuer.answer(path, response);
    const documents: Record<string, object> = {
      '/.well-known/openid-configuration': { issuer: issuer.url, jwks_uri: `${issuer.url}/jwks` },
      '/jwks': { keys: [published] },
    };
    response.statusCode = documents[path] ? 200 : 404;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(documents[path] ?? {}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer: TestIssuer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    answer: undefined,
    rotate,
    token: (claims = {}, header = {}) => {
      const iat = Math.floor(Date.now() / 1000);
      const all = {
        iss: issuer.url,
        aud: AUDIENCE,
        sub: MAIN,
        jti: randomUUID(),
        iat,
        nbf: iat,
        exp: iat + 300,
        repository_owner: 'octo-org',
        ...claims,
      };
      const present = Object.entries(all).filter(([, value]) => value !== null);
      const { kid, alg } = published;
      return new SignJWT(Object.fromEntries(present))
        .setProtectedHeader({ alg: String(alg), kid: String(kid), ...header })
        .sign(privateKey);
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return issuer;
}
