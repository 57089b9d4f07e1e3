/** An issuer in the process of the benchmark, and tokens of it. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JSONWebKeySet, SignJWT } from 'jose';

export const AUDIENCE = 'https://keys.example.com';
export const SUBJECT = 'repo:octo-org/octo-repo:ref:refs/heads/main';
const TOKENS = 100;

export interface BenchIssuer {
  url: string;
  keys: JSONWebKeySet;
  tokens: string[];
}

export async function startIssuer(): Promise<BenchIssuer> {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const kid = randomUUID();
  const keys = { keys: [{ ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' }] };
  const server = createServer((request, response) => {
    const metadata = { issuer: url, jwks_uri: `${url}/jwks` };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(request.url === '/jwks' ? keys : metadata));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sign = () =>
    new SignJWT({ repository_owner: 'octo-org', jti: randomUUID() })
      .setProtectedHeader({ alg: 'RS256', kid })
      .setIssuer(url)
      .setAudience(AUDIENCE)
      .setSubject(SUBJECT)
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(privateKey);
  return { url, keys, tokens: await Promise.all(Array.from({ length: TOKENS }, sign)) };
}
