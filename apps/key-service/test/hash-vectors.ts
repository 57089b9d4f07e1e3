/** Hashes that other implementations have made, as their users would import them. */

export interface HashVector {
  readonly name: string;
  readonly key: string;
  readonly hash: Record<string, unknown>;
}

const ACME = 'acme_live_4f9c2d7e1b8a6035';

export const HASH_VECTORS: readonly HashVector[] = [
  {
    name: 'SHA-256 in hex (FIPS 180-2, B.2)',
    key: 'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
    hash: {
      algorithm: 'HASH_ALGORITHM_SHA256',
      value: '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    },
  },
  {
    name: 'SHA-256 in Base64, as Unkey keeps it (hashlib of Python)',
    key: ACME,
    hash: {
      algorithm: 'HASH_ALGORITHM_SHA256',
      value: 'z9Im5+zRXjLYYz3JAcil0vZib9hTNIc4kVDL3H79RTo=',
      encoding: 'HASH_ENCODING_BASE64',
    },
  },
  {
    name: 'SHA-512 in Base64url (hashlib)',
    key: ACME,
    hash: {
      algorithm: 'HASH_ALGORITHM_SHA512',
      value:
        'T31gf5le2x5PQFuj3JXuds_xrF2igXO3cUkt7R9BVedJ1mbGOTbGomSiSA1r7uB6M6HKr2Go4WEvNEk-kaNVJg',
      encoding: 'HASH_ENCODING_BASE64URL',
    },
  },
  {
    name: 'HMAC-SHA256 (RFC 4231, case 6)',
    key: 'Test Using Larger Than Block-Size Key - Hash Key First',
    hash: {
      algorithm: 'HASH_ALGORITHM_HMAC_SHA256',
      value: '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
      key: 'aa'.repeat(131),
      key_encoding: 'HASH_ENCODING_HEX',
    },
  },
  {
    name: 'HMAC-SHA512 (RFC 4231, case 6)',
    key: 'Test Using Larger Than Block-Size Key - Hash Key First',
    hash: {
      algorithm: 'HASH_ALGORITHM_HMAC_SHA512',
      value:
        '80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f352' +
        '6b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598',
      key: 'aa'.repeat(131),
      key_encoding: 'HASH_ENCODING_HEX',
    },
  },
  {
    name: 'SHA-256 with a salt behind (hashlib)',
    key: ACME,
    hash: {
      algorithm: 'HASH_ALGORITHM_SHA256',
      value: '86b408dc5b50a1fdc672a198ff9f1609e2dbf11131c055a8bc545a1d3be1c7d8',
      salt: 'pepper-1',
      salt_position: 'SALT_POSITION_AFTER',
      lookup_prefix: 'acme_live_4f',
    },
  },
  {
    name: 'SHA-512 with a salt before (hashlib)',
    key: ACME,
    hash: {
      algorithm: 'HASH_ALGORITHM_SHA512',
      value:
        'bb9f3c9aed5b7e0fb38be9e0ba49e4569dfc58e0e9ba26ad4e76ed842ea8dd09' +
        '8ae49d3d37075ca6083d4c5d063638d525302d12b5a19dc6c70c368261a6e83f',
      salt: '00ff10',
      salt_encoding: 'HASH_ENCODING_HEX',
      lookup_prefix: 'acme_live_4f',
    },
  },
  {
    name: 'SHA-256 of what follows the prefix (hashlib)',
    key: 'acme_short1_8a6035ffee',
    hash: {
      algorithm: 'HASH_ALGORITHM_SHA256',
      value: 'aa995f6d3289f4b0cebb9f3679b2b5762515b73ed59e01a5acdb43606603a35e',
      lookup_prefix: 'acme_short1_',
      hashed_part: 'HASHED_PART_AFTER_PREFIX',
    },
  },
  {
    name: 'bcrypt $2a$ (crypt_blowfish)',
    key: 'U*U*U',
    hash: {
      algorithm: 'HASH_ALGORITHM_BCRYPT',
      value: '$2a$05$XXXXXXXXXXXXXXXXXXXXXOAcXxm9kjPGEMsLznoKqmqw7tc8WCx4a',
      lookup_prefix: 'U*U*',
    },
  },
  {
    name: 'bcrypt $2b$ (bcrypt 5.0 of Python)',
    key: 'acme_live_bcrypt-key-0001',
    hash: {
      algorithm: 'HASH_ALGORITHM_BCRYPT',
      value: '$2b$10$/Xg.OUhlOfEf2IVMjCarXeRzlj4AqG4.hHTGZFJrCsaW2ZsMkyF1O',
      lookup_prefix: 'acme_live_bc',
    },
  },
  {
    name: 'bcrypt $2y$ (bcrypt 5.0 of Python)',
    key: 'acme_live_bcrypt-key-0001',
    hash: {
      algorithm: 'HASH_ALGORITHM_BCRYPT',
      value: '$2y$10$jghHQCVTd4SLZ1MSvP0Q3OIrI6KX066HAy.RawywEGSuy4CUjhY6a',
      lookup_prefix: 'acme_live_bc',
    },
  },
  {
    name: 'argon2id (test.c of the reference implementation)',
    key: 'password',
    hash: {
      algorithm: 'HASH_ALGORITHM_ARGON2ID',
      value:
        '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
      lookup_prefix: 'pass',
    },
  },
  {
    name: 'scrypt with its parameters (RFC 7914, section 12)',
    key: 'pleaseletmein',
    hash: {
      algorithm: 'HASH_ALGORITHM_SCRYPT',
      value:
        '7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2' +
        'd5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887',
      salt: 'SodiumChloride',
      n: 16384,
      r: 8,
      p: 1,
      lookup_prefix: 'please',
    },
  },
  {
    name: 'scrypt as a PHC string (hashlib)',
    key: 'acme_live_scrypt-key-0001',
    hash: {
      algorithm: 'HASH_ALGORITHM_SCRYPT',
      value:
        '$scrypt$ln=14,r=8,p=1$MDEyMzQ1Njc4OWFiY2RlZg$RDLRd+XSqVx0y6wp+F/p7yjw/rYi8rIg9QfhRZgFjc4',
      lookup_prefix: 'acme_live_sc',
    },
  },
];
