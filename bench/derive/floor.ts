/**
 * The floor of `derive`: signs the same claims with jose's SignJWT (EdDSA) for every request and
 * sends as many bytes, by compiled schemas. It checks no key and writes no audit event.
 */
import { randomUUID } from 'node:crypto';
import {
  decodeProtectedHeader,
  generateKeyPair,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
} from 'jose';
import { answer, credentialRoute, serveFloor } from '../bare-fastify.js';

const { token: sample } = answer as {
  token: { token: string; scopes: string[]; claims: JWTPayload & { iat: number; exp: number } };
};
const header = decodeProtectedHeader(sample.token) as JWTHeaderParameters;
const lifetimeSeconds = sample.claims.exp - sample.claims.iat;
const { privateKey } = await generateKeyPair('EdDSA');

await serveFloor((app) =>
  app.post('/v2alpha1/admin/apiKeys::derive', credentialRoute, async () => {
    const iat = Math.floor(Date.now() / 1000);
    const exp = iat + lifetimeSeconds;
    const claims = { ...sample.claims, jti: randomUUID(), iat, nbf: iat, exp };
    const token = await new SignJWT(claims).setProtectedHeader(header).sign(privateKey);
    const expireTime = new Date(exp * 1000).toISOString();
    return { token: { token, expire_time: expireTime, scopes: sample.scopes, claims } };
  }),
);
