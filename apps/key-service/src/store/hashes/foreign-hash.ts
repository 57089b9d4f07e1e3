/**
 * Hashes of keys that another system has made, and the check of a credential against one. Those without
 * a salt are found by themselves; all others by a public prefix of their key, and then tried.
 */
import { createHash, createHmac, scrypt, timingSafeEqual } from 'node:crypto';
import { keyObject } from '@gatehouse/crypto';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { type HashAlgorithm } from './hash.types.js';

export interface ScryptCost {
  readonly n: number;
  readonly r: number;
  readonly p: number;
}

/** As it is sealed: JSON. */
export interface ForeignHash {
  readonly algorithm: HashAlgorithm;
  /** The digest in Base64; of bcrypt and argon2id the whole text, such as `$2b$10$…`. */
  readonly value: string;
  /** Base64; '' without a salt. */
  readonly salt: string;
  readonly isSaltFirst: boolean;
  /** Base64 of the key of an HMAC; '' otherwise. */
  readonly hmacKey: string;
  readonly cost: ScryptCost | null;
  /** How the key begins; null for a hash that is found by itself. */
  readonly prefix: string | null;
  /** Whether only what follows the prefix was hashed. */
  readonly isAfterPrefix: boolean;
}

type FastAlgorithm = 'sha256' | 'sha512' | undefined;

const SCRYPT_BYTES_MAX = 256 * 1024 * 1024;
const BCRYPT_BYTES_MAX = 72;

interface Bcrypt {
  verify(text: string, hash: string): Promise<boolean>;
}
interface Argon2 {
  verify(hash: string, text: string): Promise<boolean>;
}

/** Native modules, loaded at the first use: most processes never need them. */
const load = createRequire(import.meta.url);
const scryptInThreadPool = promisify<string, Buffer, number, object, Buffer>(scrypt);

/** The name of an algorithm, such as `bcrypt`, for metrics and store settings. */
export function algorithmName(algorithm: HashAlgorithm): string {
  return algorithm.slice('HASH_ALGORITHM_'.length).toLowerCase();
}

export function isSlow({ algorithm }: Pick<ForeignHash, 'algorithm'>): boolean {
  return fastAlgorithm(algorithm) === undefined;
}

function fastAlgorithm(algorithm: HashAlgorithm): FastAlgorithm {
  if (algorithm.endsWith('SHA256')) return 'sha256';
  return algorithm.endsWith('SHA512') ? 'sha512' : undefined;
}

/** The text that a hash without a salt is found by: it names the digest, and never the key. */
export function lookupText(group: string, digest: string): string {
  return `lookup:${group}:${digest}`;
}

/** Identifies a foreign hash: the input of its keyed hash. */
export function identityText(group: string, hash: ForeignHash): string {
  if (hash.prefix === null) return lookupText(group, hash.value);
  const { value, salt, isSaltFirst, cost, prefix, isAfterPrefix } = hash;
  return JSON.stringify([group, value, salt, isSaltFirst, cost, prefix, isAfterPrefix]);
}

/** Base64 of the digest of a text by a fast algorithm, without a salt. */
export function digestOf(algorithm: HashAlgorithm, hmacKey: Buffer | null, text: string): string {
  const name = fastAlgorithm(algorithm) ?? 'sha256';
  const hasher = hmacKey === null ? createHash(name) : createHmac(name, keyObject(hmacKey));
  return hasher.update(text).digest('base64');
}

/** Whether a credential belongs to a hash with a prefix. Slow algorithms run in the thread pool. */
export function matches(hash: ForeignHash, credential: string): boolean | Promise<boolean> {
  const { prefix, isAfterPrefix } = hash;
  if (prefix !== null && !credential.startsWith(prefix)) return false;
  const text = isAfterPrefix ? credential.slice(prefix?.length ?? 0) : credential;
  switch (hash.algorithm) {
    case 'HASH_ALGORITHM_BCRYPT':
      return matchesBcrypt(hash.value, text);
    case 'HASH_ALGORITHM_ARGON2ID':
      return (load('@node-rs/argon2') as Argon2).verify(hash.value, text);
    case 'HASH_ALGORITHM_SCRYPT':
      return matchesScrypt(hash, text);
    default:
      return matchesFast(hash, text);
  }
}

/** bcrypt ends at a NUL and at 72 bytes, so that other keys would match too: none of these does. */
function matchesBcrypt(hash: string, text: string): boolean | Promise<boolean> {
  if (text.includes('\0') || Buffer.byteLength(text) > BCRYPT_BYTES_MAX) return false;
  return (load('@node-rs/bcrypt') as Bcrypt).verify(text, hash);
}

async function matchesScrypt({ value, salt, cost }: ForeignHash, text: string): Promise<boolean> {
  const digest = Buffer.from(value, 'base64');
  const options = { N: cost?.n, r: cost?.r, p: cost?.p, maxmem: SCRYPT_BYTES_MAX };
  const found = await scryptInThreadPool(text, Buffer.from(salt, 'base64'), digest.length, options);
  return timingSafeEqual(found, digest);
}

function matchesFast(hash: ForeignHash, text: string): boolean {
  const name = fastAlgorithm(hash.algorithm) as string;
  const hasher =
    hash.hmacKey === ''
      ? createHash(name)
      : createHmac(name, keyObject(Buffer.from(hash.hmacKey, 'base64')));
  const salt = Buffer.from(hash.salt, 'base64');
  const parts = hash.isSaltFirst ? [salt, text] : [text, salt];
  parts.forEach((part) => hasher.update(part));
  return timingSafeEqual(hasher.digest(), Buffer.from(hash.value, 'base64'));
}
