// @ts-check
// The floor of `derive`: a bare Fastify route with compiled schemas that signs the same claims with
// jose's SignJWT (EdDSA) for every request and answers as many bytes, and does nothing else: it
// checks no key and writes no audit event.
import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import { decodeProtectedHeader, generateKeyPair, SignJWT } from 'jose';
import { schemaOf } from '../verify/answer-schema.mjs';

const answer = JSON.parse(process.env['ANSWER'] ?? '{}');
const { claims, scopes } = answer.token;
const header = /** @type {import('jose').JWTHeaderParameters} */ (
  decodeProtectedHeader(answer.token.token)
);
const lifeSeconds = claims.exp - claims.iat;
const { privateKey } = await generateKeyPair('EdDSA');
const app = Fastify();

app.get('/ready', () => ({ status: 'ok' }));

app.post(
  '/v2alpha1/admin/apiKeys::derive',
  {
    schema: {
      body: {
        type: 'object',
        required: ['credential'],
        properties: { credential: { type: 'string', minLength: 1 } },
      },
      response: { 200: schemaOf(answer) },
    },
  },
  async () => {
    const iat = Math.floor(Date.now() / 1000);
    const exp = iat + lifeSeconds;
    const payload = { ...claims, jti: randomUUID(), iat, nbf: iat, exp };
    const token = await new SignJWT(payload).setProtectedHeader(header).sign(privateKey);
    const expire_time = new Date(exp * 1000).toISOString();
    return { token: { token, expire_time, scopes, claims: payload } };
  },
);

await app.listen({ host: process.env['HOST'], port: Number(process.env['PORT']) });
process.once('SIGTERM', () => void app.close());
