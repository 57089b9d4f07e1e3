/** How the hash of an imported key was made. The position of a name is its number in the API. */
export const HASH_ALGORITHMS = [
  'HASH_ALGORITHM_UNSPECIFIED',
  'HASH_ALGORITHM_SHA256',
  'HASH_ALGORITHM_SHA512',
  'HASH_ALGORITHM_HMAC_SHA256',
  'HASH_ALGORITHM_HMAC_SHA512',
  'HASH_ALGORITHM_BCRYPT',
  'HASH_ALGORITHM_ARGON2ID',
  'HASH_ALGORITHM_SCRYPT',
] as const;
export type HashAlgorithm = (typeof HASH_ALGORITHMS)[number];

export const HASH_ENCODINGS = [
  'HASH_ENCODING_UNSPECIFIED',
  'HASH_ENCODING_HEX',
  'HASH_ENCODING_BASE64',
  'HASH_ENCODING_BASE64URL',
  'HASH_ENCODING_TEXT',
] as const;
export type HashEncoding = (typeof HASH_ENCODINGS)[number];

export const SALT_POSITIONS = [
  'SALT_POSITION_UNSPECIFIED',
  'SALT_POSITION_BEFORE',
  'SALT_POSITION_AFTER',
] as const;
export type SaltPosition = (typeof SALT_POSITIONS)[number];

export const HASHED_PARTS = [
  'HASHED_PART_UNSPECIFIED',
  'HASHED_PART_KEY',
  'HASHED_PART_AFTER_PREFIX',
] as const;
export type HashedPart = (typeof HASHED_PARTS)[number];
