// @ts-check
// The floor of `derive`: a bare Fastify route with compiled schemas that signs the same claims with
// jose's SignJWT (EdDSA) for every request and answers as many bytes, and does nothing else: it
// checks no key and writes no audit event.
import { randomUUID } from 'node:crypto';
import { decodeProtectedHeader, generateKeyPair, SignJWT } from 'jose';
import { answer, credentialRoute, serveFloor } from '../bare-fastify.mjs';

const { claims, scopes } = answer.token;
const header = /** @type {import('jose').JWTHeaderParameters} */ (
  decodeProtectedHeader(answer.token.token)
);
const lifeSeconds = claims.exp - claims.iat;
const { privateKey } = await generateKeyPair('EdDSA');

await serveFloor((app) =>
  app.post('/v2alpha1/admin/apiKeys::derive', credentialRoute, async () => {
    const iat = Math.floor(Date.now() / 1000);
    const exp = iat + lifeSeconds;
    const payload = { ...claims, jti: randomUUID(), iat, nbf: iat, exp };
    const token = await new SignJWT(payload).setProtectedHeader(header).sign(privateKey);
    const expire_time = new Date(exp * 1000).toISOString();
    return { token: { token, expire_time, scopes, claims: payload } };
  }),
);
