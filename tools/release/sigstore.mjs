// @ts-check
/**
 * Sigstore bundles that a key in a file signs, without a transparency log: the form that cosign and the libraries of
 * Sigstore read (https://docs.sigstore.dev/about/bundle/).
 */
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';

const CURVE = 'prime256v1';
const STATEMENT_TYPE = 'application/vnd.in-toto+json';

/**
 * @param {string} pem
 * @returns {import('node:crypto').KeyObject}
 * @throws Error if it is not the private key that cosign expects
 */
export function signingKey(pem) {
  const problem = 'the key to sign with is not a private key of P-256 in PEM';
  let key;
  try {
    key = createPrivateKey(pem);
  } catch (cause) {
    throw new Error(problem, { cause });
  }
  if (key.asymmetricKeyDetails?.namedCurve !== CURVE) throw new Error(problem);
  return key;
}

/**
 * @param {Buffer} content of a file
 * @param {import('node:crypto').KeyObject} key
 * @returns {string} JSON, for `cosign verify-blob`
 */
export function signedBlob(content, key) {
  const digest = createHash('sha256').update(content).digest('base64');
  return bundle(key, {
    messageSignature: {
      messageDigest: { algorithm: 'SHA2_256', digest },
      signature: sign('sha256', content, key).toString('base64'),
    },
  });
}

/**
 * Signs an in-toto statement as DSSE has it (https://github.com/secure-systems-lab/dsse/blob/master/protocol.md).
 * @param {Buffer} statement
 * @param {import('node:crypto').KeyObject} key
 * @returns {string} JSON, for `cosign verify-blob-attestation`
 */
export function signedStatement(statement, key) {
  const header = `DSSEv1 ${STATEMENT_TYPE.length} ${STATEMENT_TYPE} ${statement.length} `;
  const signature = sign('sha256', Buffer.concat([Buffer.from(header), statement]), key);
  return bundle(key, {
    dsseEnvelope: {
      payload: statement.toString('base64'),
      payloadType: STATEMENT_TYPE,
      signatures: [{ sig: signature.toString('base64') }],
    },
  });
}

/**
 * @param {import('node:crypto').KeyObject} key
 * @param {object} signed
 */
function bundle(key, signed) {
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' });
  const hint = createHash('sha256').update(publicKey).digest('base64');
  const verificationMaterial = { publicKey: { hint }, tlogEntries: [] };
  const mediaType = 'application/vnd.dev.sigstore.bundle.v0.3+json';
  return `${JSON.stringify({ mediaType, verificationMaterial, ...signed })}\n`;
}
