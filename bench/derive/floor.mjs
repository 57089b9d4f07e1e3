// @ts-check
// The floor of `derive`: a bare Fastify route with a compiled schema that signs the same claims with
// jose's SignJWT (EdDSA) for every request, and does nothing else.
import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import { generateKeyPair, SignJWT } from 'jose';

const claims = JSON.parse(process.env['CLAIMS'] ?? '{}');
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
      response: {
        200: {
          type: 'object',
          properties: { token: { type: 'object', additionalProperties: true } },
        },
      },
    },
  },
  async () => {
    const nowSeconds = Math.floor(Date.now() / 1000);
    const payload = { ...claims, jti: randomUUID(), iat: nowSeconds, exp: nowSeconds + 3600 };
    const token = await new SignJWT(payload)
      .setProtectedHeader({ alg: 'EdDSA', kid: 'floor', typ: 'JWT' })
      .sign(privateKey);
    return { token: { token, claims: payload } };
  },
);

await app.listen({ host: process.env['HOST'], port: Number(process.env['PORT']) });
process.once('SIGTERM', () => void app.close());
