import { compactVerify, exportJWK, generateKeyPair } from 'jose';
import { type SigningAlgorithm } from '../../config.js';
import { jwsSigner } from './jws-signer.js';

describe.each<SigningAlgorithm>(['EdDSA', 'ES256', 'RS256'])('jwsSigner for %s', (algorithm) => {
  it('signs so that jose accepts the signature for this input only', async () => {
    const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true });
    const sign = jwsSigner(await exportJWK(privateKey), algorithm);
    const header = Buffer.from(JSON.stringify({ alg: algorithm })).toString('base64url');
    for (const payload of ['{}', '{"sub":"ünïcode 😀"}', '']) {
      const input = `${header}.${Buffer.from(payload).toString('base64url')}`;
      const signature = (await sign(input)).toString('base64url');
      const verified = await compactVerify(`${input}.${signature}`, publicKey);
      expect(Buffer.from(verified.payload).toString()).toBe(payload);
      await expect(compactVerify(`${input}AA.${signature}`, publicKey)).rejects.toThrow();
    }
  });
});
