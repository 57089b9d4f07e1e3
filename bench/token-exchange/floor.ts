/**
 * The floor of `token-exchange`: reads the form, verifies the token of an issuer with jose, and signs the
 * same claims with jose's SignJWT (EdDSA). It knows no rules and no keys, and writes no audit event.
 */
import { randomUUID } from 'node:crypto';
import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  generateKeyPair,
  type JSONWebKeySet,
  type JWTHeaderParameters,
  jwtVerify,
  SignJWT,
} from 'jose';
import { answer, schemaOf, serveFloor } from '../bare-fastify.js';

const sample = answer as { access_token: string; expires_in: number };
const sampleClaims = decodeJwt(sample.access_token);
const header = decodeProtectedHeader(sample.access_token) as JWTHeaderParameters;
const { privateKey } = await generateKeyPair('EdDSA');
const keys = createLocalJWKSet(JSON.parse(process.env['KEYS'] ?? '{}') as JSONWebKeySet);

await serveFloor((app) => {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, new URLSearchParams(body as string)),
  );
  app.post('/oauth/token', { schema: { response: { 200: schemaOf(sample) } } }, async (request) => {
    const form = request.body as URLSearchParams;
    const subject = form.get('subject_token') ?? '';
    if (form.get('subject_token_type')?.endsWith(':jwt')) {
      await jwtVerify(subject, keys, { algorithms: ['RS256'], maxTokenAge: '1d' });
    }
    const iat = Math.floor(Date.now() / 1000);
    const exp = iat + sample.expires_in;
    const claims = { ...sampleClaims, jti: randomUUID(), iat, nbf: iat, exp };
    const token = await new SignJWT(claims).setProtectedHeader(header).sign(privateKey);
    return { ...sample, access_token: token };
  });
});
