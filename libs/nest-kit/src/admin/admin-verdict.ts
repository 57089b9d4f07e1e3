/**
 * Verdicts about administrators: a JWS (RFC 7515, EdDSA) that the key service signs. Only the key
 * service has the private key, so a service that shares MESSAGE_KEYS cannot give a verdict, and the
 * audience and the nonce bind it to one request of one service.
 */
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type AdministratorVerdict, type JudgeAdministratorRequest } from '@gatehouse/schemas';
import { jwtVerify, SignJWT } from 'jose';

const ISSUER = 'key-service';
const TYPE = 'admin-verdict+jwt';
const TTL_SECONDS = 30;

/** The content of a verdict, without the claims that bind it to the question. */
export type Judgment = Pick<AdministratorVerdict, 'outcome' | 'sub' | 'actor_id' | 'scopes'>;

/** The question that a verdict answers, and the service that asked it. */
export interface VerdictQuestion extends JudgeAdministratorRequest {
  readonly asker: string;
}

/** @param pem a private Ed25519 key, PKCS #8 */
export function verdictSigner(
  pem: string,
): (judgment: Judgment, question: VerdictQuestion) => Promise<string> {
  const key = ed25519(createPrivateKey(pem));
  return ({ sub, ...claims }, { asker, ...question }) =>
    new SignJWT({ ...claims, question: { ...question } })
      .setProtectedHeader({ alg: 'EdDSA', typ: TYPE })
      .setIssuer(ISSUER)
      .setAudience(asker)
      .setSubject(sub)
      .setIssuedAt()
      .setExpirationTime(`${TTL_SECONDS}s`)
      .sign(key);
}

/**
 * Reads verdicts that were signed with any of these keys.
 * @param pems public Ed25519 keys, SPKI, one or more in one text
 * @throws Error for a verdict of another signer, or about another question, or one that has expired
 */
export function verdictReader(
  pems: string,
): (verdict: string, question: VerdictQuestion) => Promise<Judgment> {
  const keys = publicKeysOf(pems);
  return async (verdict, { asker, ...question }) => {
    const { payload } = await firstFulfilled(keys, (key) =>
      jwtVerify<AdministratorVerdict>(verdict, key, {
        algorithms: ['EdDSA'],
        typ: TYPE,
        issuer: ISSUER,
        audience: asker,
        requiredClaims: ['exp', 'question'],
        clockTolerance: TTL_SECONDS,
      }),
    );
    // The nonce alone is not enough: another holder of the ring can ask about another key with it.
    if (!isDeepStrictEqual(payload.question, question)) {
      throw new Error('the verdict answers another question');
    }
    return payload;
  };
}

/** Whether `verdictSigner` accepts the text. */
export function isPrivateVerdictKey(pem: string): boolean {
  return succeeds(() => ed25519(createPrivateKey(pem)));
}

/** Whether `verdictReader` accepts the text. */
export function arePublicVerdictKeys(pems: string): boolean {
  return succeeds(() => publicKeysOf(pems));
}

function publicKeysOf(pems: string): KeyObject[] {
  const blocks = pems.match(/-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g) ?? [];
  if (blocks.length === 0) throw new Error('there is no public key');
  return blocks.map((pem) => ed25519(createPublicKey(pem)));
}

function ed25519(key: KeyObject): KeyObject {
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('the key is not an Ed25519 key');
  return key;
}

function succeeds(action: () => unknown): boolean {
  try {
    action();
    return true;
  } catch {
    return false;
  }
}

/** The result for the first key with which the action succeeds; the last fault if it succeeds with no key. */
async function firstFulfilled<T>(
  keys: readonly KeyObject[],
  action: (key: KeyObject) => Promise<T>,
): Promise<T> {
  let fault: unknown;
  for (const key of keys) {
    try {
      return await action(key);
    } catch (error) {
      fault = error;
    }
  }
  throw fault;
}
