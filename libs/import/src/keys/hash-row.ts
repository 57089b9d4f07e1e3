/** The hash of a row of a file of keys, as the key service takes it. */
import { type Row } from '../rows.js';

/** The key of HMACs, which comes from a setting and not from the file. */
export interface HmacKey {
  readonly key: string;
  /** The encoding of the hash, such as `hex`. */
  readonly encoding: string;
}

const ENCODINGS: readonly (readonly [column: string, field: string, prefix: string])[] = [
  ['hash_encoding', 'encoding', 'HASH_ENCODING_'],
  ['salt_encoding', 'salt_encoding', 'HASH_ENCODING_'],
  ['salt_position', 'salt_position', 'SALT_POSITION_'],
  ['hashed_part', 'hashed_part', 'HASHED_PART_'],
];
const TEXTS = ['salt', 'lookup_prefix'] as const;
const NUMBERS = ['n', 'r', 'p'] as const;
const KNOWN_BY_VALUE: readonly (readonly [RegExp, string])[] = [
  [/^\$2[aby]\$/, 'BCRYPT'],
  [/^\$argon2id\$/, 'ARGON2ID'],
  [/^\$scrypt\$/, 'SCRYPT'],
];

/**
 * @returns undefined where nothing says how the hash was made. The service judges the rest, and names
 * the field that is at fault.
 */
export function hashOf(row: Row, hmacKey: HmacKey | undefined): Row | undefined {
  if (typeof row.hash === 'object' && row.hash !== null) return row.hash as Row;
  const value = String(row.hash);
  const named = typeof row.hash_algorithm === 'string' ? row.hash_algorithm : '';
  const known = KNOWN_BY_VALUE.find(([shape]) => shape.test(value))?.[1] ?? '';
  const name = upperCase(named, 'HASH_ALGORITHM_') || known;
  if (name === '') return undefined;
  const hash: Row = { algorithm: `HASH_ALGORITHM_${name}`, value };
  for (const [column, field, prefix] of ENCODINGS) {
    const text = row[column];
    if (typeof text === 'string') hash[field] = prefix + upperCase(text, prefix);
  }
  for (const field of TEXTS) if (row[field] !== undefined) hash[field] = row[field];
  for (const field of NUMBERS) if (row[field] !== undefined) hash[field] = Number(row[field]);
  if (name.startsWith('HMAC') && hmacKey) {
    hash.key = hmacKey.key;
    hash.key_encoding = `HASH_ENCODING_${upperCase(hmacKey.encoding, '')}`;
  }
  return hash;
}

/** `hmac-sha256` as `HMAC_SHA256`, and `HASH_ALGORITHM_HMAC_SHA256` as well. */
function upperCase(text: string, prefix: string): string {
  return text.trim().toUpperCase().replaceAll('-', '_').replace(prefix, '');
}
