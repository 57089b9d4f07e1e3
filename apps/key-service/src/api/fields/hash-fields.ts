/** Reads the hash of a key that is imported, with the bounds of what a check may cost. */
import { type InputReader } from '@gatehouse/kit/input';
import {
  HASH_ALGORITHMS,
  HASH_ENCODINGS,
  HASHED_PARTS,
  type HashAlgorithm,
  type HashEncoding,
  SALT_POSITIONS,
} from '../../store/hashes/hash.types.js';
import { type ForeignHash, isSlow, type ScryptCost } from '../../store/hashes/foreign-hash.js';

const VALUE_CHARACTERS_MAX = 512;
const SALT_BYTES_MAX = 256;
const HMAC_KEY_BYTES_MIN = 16;
const HMAC_KEY_BYTES_MAX = 1024;
const BCRYPT_COST_MAX = 13;
const ARGON2_KIB_MAX = 128 * 1024;
const ARGON2_LANES_MAX = 8;
/** KiB times passes. */
const ARGON2_WORK_MAX = 512 * 1024;
/** The largest product of N, r and p: 128 bytes each. */
const SCRYPT_WORK_MAX = 2 ** 20;
const SCRYPT_BYTES = { min: 16, max: 64 };

const PREFIX = /^[\x21-\x7e]{4,64}$/;
const FIELDS = [
  'value',
  'encoding',
  'salt',
  'salt_encoding',
  'salt_position',
  'key',
  'key_encoding',
  'n',
  'r',
  'p',
  'lookup_prefix',
  'hashed_part',
];
const BCRYPT = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/;
const ARGON2ID =
  /^\$argon2id\$v=(?:16|19)\$m=(\d{1,9}),t=(\d{1,9}),p=(\d{1,3})\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{22,86}$/;
const SCRYPT =
  /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,9}),p=(\d{1,9})\$([A-Za-z0-9+/.]{0,86})\$([A-Za-z0-9+/.]{22,86})$/;
const ENCODED: Partial<Record<HashEncoding, RegExp>> = {
  HASH_ENCODING_HEX: /^(?:[0-9a-f]{2})*$/i,
  HASH_ENCODING_BASE64: /^[A-Za-z0-9+/]*={0,2}$/,
  HASH_ENCODING_BASE64URL: /^[A-Za-z0-9_-]*={0,2}$/,
};

/** Undefined when there is no hash; violations stay in the reader. */
export function readForeignHash(body: InputReader): ForeignHash | undefined {
  const hash = body.child('hash');
  if (hash === undefined) return undefined;
  const algorithm = hash.enumeration('algorithm', HASH_ALGORITHMS);
  if (algorithm === 'HASH_ALGORITHM_UNSPECIFIED') {
    hash.allow(FIELDS);
    const sent = hash.raw('algorithm') ?? algorithm;
    if (sent !== algorithm && sent !== 0) return undefined;
    const fault = `must be one of ${HASH_ALGORITHMS.slice(1).join(', ')}`;
    return hash.addViolation('algorithm', fault, undefined);
  }
  const part = hash.enumeration('hashed_part', HASHED_PARTS);
  const isAfterPrefix = part === 'HASHED_PART_AFTER_PREFIX';
  const position = hash.enumeration('salt_position', SALT_POSITIONS);
  const salt = readBytes(hash, 'salt', 'salt_encoding', { max: SALT_BYTES_MAX });
  const digest = { ...readDigest(hash, algorithm, salt) };
  const isFound = !isSlow({ algorithm }) && digest.salt.length === 0 && !isAfterPrefix;
  return {
    algorithm,
    value: digest.value,
    salt: digest.salt.toString('base64'),
    isSaltFirst: position !== 'SALT_POSITION_AFTER',
    hmacKey: readHmacKey(hash, algorithm),
    cost: digest.cost,
    prefix: readPrefix(hash, isFound),
    isAfterPrefix,
  };
}

function readPrefix(hash: InputReader, isFoundByItself: boolean): string | null {
  const name = 'lookup_prefix';
  const prefix = hash.string(name) ?? '';
  if (isFoundByItself) {
    if (prefix === '') return null;
    const fault = 'is only for hashes that are salted, slow or of a part';
    return hash.addViolation(name, fault, null);
  }
  if (PREFIX.test(prefix)) return prefix;
  const fault = 'must be the 4 to 64 visible ASCII characters with which the key begins';
  return hash.addViolation(name, fault, prefix);
}

function readHmacKey(hash: InputReader, algorithm: HashAlgorithm): string {
  const range = { min: HMAC_KEY_BYTES_MIN, max: HMAC_KEY_BYTES_MAX };
  const isHmac = algorithm.includes('HMAC');
  const bytes = readBytes(hash, 'key', 'key_encoding', isHmac ? range : { max: 0 });
  return bytes.toString('base64');
}

interface Digest {
  value: string;
  salt: Buffer;
  cost: ScryptCost | null;
}

function readDigest(hash: InputReader, algorithm: HashAlgorithm, salt: Buffer): Digest {
  const none: Digest = { value: '', salt, cost: null };
  const text = hash.text('value', { min: 1, max: VALUE_CHARACTERS_MAX });
  if (algorithm === 'HASH_ALGORITHM_BCRYPT' || algorithm === 'HASH_ALGORITHM_ARGON2ID') {
    const fault = algorithm === 'HASH_ALGORITHM_BCRYPT' ? bcryptFault(text) : argon2Fault(text);
    if (fault !== undefined) hash.addViolation('value', fault, '');
    for (const name of ['salt', 'encoding', 'n', 'r', 'p']) {
      if (hash.raw(name) !== undefined) hash.addViolation(name, 'is part of value', '');
    }
    return { ...none, value: text };
  }
  if (algorithm === 'HASH_ALGORITHM_SCRYPT') return readScrypt(hash, text, salt);
  const bytes = algorithm.endsWith('SHA512') ? 64 : 32;
  const digest = readBytes(hash, 'value', 'encoding', { min: bytes, max: bytes }, HEX);
  for (const name of ['n', 'r', 'p']) {
    if (hash.raw(name) !== undefined) hash.addViolation(name, 'is only for scrypt', '');
  }
  return { ...none, value: digest.toString('base64') };
}

function bcryptFault(text: string): string | undefined {
  const cost = Number(BCRYPT.exec(text)?.[1]);
  if (Number.isNaN(cost)) return 'must be a bcrypt hash, such as $2b$10$…';
  return cost < 4 || cost > BCRYPT_COST_MAX
    ? `has the cost ${cost}, and must have 4 to ${BCRYPT_COST_MAX}`
    : undefined;
}

function argon2Fault(text: string): string | undefined {
  const found = ARGON2ID.exec(text);
  if (!found) return 'must be an argon2id hash, such as $argon2id$v=19$m=19456,t=2,p=1$…';
  const [memory = 0, passes = 0, lanes = 0] = found.slice(1).map(Number);
  if (lanes < 1 || lanes > ARGON2_LANES_MAX) return `must have p from 1 to ${ARGON2_LANES_MAX}`;
  if (memory < 8 * lanes || memory > ARGON2_KIB_MAX) {
    return `must have m from ${8 * lanes} to ${ARGON2_KIB_MAX}`;
  }
  return passes < 1 || memory * passes > ARGON2_WORK_MAX
    ? `must have t of at least 1, and m times t of at most ${ARGON2_WORK_MAX}`
    : undefined;
}

/** `$scrypt$ln=14,r=8,p=1$salt$digest`, or the digest with `salt`, `n`, `r` and `p`. */
function readScrypt(hash: InputReader, text: string, salt: Buffer): Digest {
  if (!text.startsWith('$')) {
    const digest = readBytes(hash, 'value', 'encoding', SCRYPT_BYTES, HEX);
    const number = (name: string) => hash.integer(name, { min: 1, max: SCRYPT_WORK_MAX }) ?? 0;
    const cost = { n: number('n'), r: number('r'), p: number('p') };
    const fault = scryptFault(cost);
    if (fault !== undefined) hash.addViolation('n', fault, undefined);
    return { value: digest.toString('base64'), salt, cost };
  }
  for (const name of ['salt', 'encoding', 'n', 'r', 'p']) {
    if (hash.raw(name) !== undefined) hash.addViolation(name, 'is part of value', '');
  }
  const [, log = '', r = '', p = '', salted = '', digest = ''] = SCRYPT.exec(text) ?? [];
  const cost = { n: 2 ** Number(log), r: Number(r), p: Number(p) };
  const fault =
    digest === ''
      ? 'must be a digest, or a scrypt hash such as $scrypt$ln=14,r=8,p=1$…'
      : scryptFault(cost);
  if (fault !== undefined) hash.addViolation('value', fault, '');
  // Some libraries write a dot for the plus sign.
  const bytes = (part: string) => Buffer.from(part.replaceAll('.', '+'), 'base64');
  return { value: bytes(digest).toString('base64'), salt: bytes(salted), cost };
}

function scryptFault({ n, r, p }: ScryptCost): string | undefined {
  if (n < 2 || r < 1 || p < 1 || !Number.isInteger(Math.log2(n))) {
    return 'must be a power of 2, with r and p of at least 1';
  }
  return n * r * p > SCRYPT_WORK_MAX
    ? `times r times p must be at most ${SCRYPT_WORK_MAX}`
    : undefined;
}

const HEX: HashEncoding = 'HASH_ENCODING_HEX';

/** @param fallback the encoding when none is named */
function readBytes(
  hash: InputReader,
  name: string,
  encodingName: string,
  { min = 0, max }: { min?: number; max: number },
  fallback: HashEncoding = 'HASH_ENCODING_TEXT',
): Buffer {
  const text = hash.string(name) ?? '';
  const named = hash.enumeration(encodingName, HASH_ENCODINGS);
  const encoding = named === 'HASH_ENCODING_UNSPECIFIED' ? fallback : named;
  const bytes = bytesOf(text, encoding);
  if (bytes === undefined) {
    const wanted = encoding.slice('HASH_ENCODING_'.length).toLowerCase();
    return hash.addViolation(name, `must be ${wanted}`, Buffer.alloc(0));
  }
  if (bytes.length >= min && bytes.length <= max) return bytes;
  const size = min === max ? `${max}` : `${min} to ${max}`;
  return hash.addViolation(name, max === 0 ? 'is only for HMAC' : `must have ${size} bytes`, bytes);
}

function bytesOf(text: string, encoding: HashEncoding): Buffer | undefined {
  if (ENCODED[encoding]?.test(text) === false) return undefined;
  if (encoding === 'HASH_ENCODING_HEX') return Buffer.from(text, 'hex');
  return Buffer.from(text, encoding === 'HASH_ENCODING_TEXT' ? 'utf8' : 'base64');
}
