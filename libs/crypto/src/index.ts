/** Issued secrets, hashes, key rings, sealing, macaroons and webhook signatures. */
export { credentialKind, type CredentialKind } from './credential-kind.js';
export { CryptoError, type CryptoErrorCode } from './crypto.errors.js';
export {
  digestsEqual,
  hmacSha256,
  keyObject,
  randomToken,
  sha256,
  sha256Base64,
} from './hashing.js';
export { hashImportedHash, hashImportedKey, type KeyedHash } from './imported-key.js';
export {
  hashedIssuedSecret,
  type HashedSecret,
  hasIssuedSecretShape,
  isSecretPrefix,
  issuedSecretPattern,
  IssuedSecretCodec,
  keyIdRange,
  parsePartialSecret,
  type PartialSecret,
  prefixOfPreview,
  previewOfIssuedSecret,
  previewPrefix,
  type ParsedIssuedSecret,
} from './issued-secret.js';
export { KeyRing, type PurposeKey, type PurposeKeys } from './key-ring.js';
export {
  MACAROON_CAVEATS_MAX,
  MACAROON_CHARACTERS_MAX,
  MACAROON_PREFIX,
} from './macaroon-codec.js';
export {
  attenuateMacaroon,
  checkMacaroonSignature,
  mintMacaroon,
  readMacaroon,
  type MacaroonContent,
} from './macaroon.js';
export { openMessage, sealMessage, type MessagePlace } from './sealed-message.js';
export { needsResealing, open, openText, seal } from './sealing.js';
export {
  decodeWebhookSecret,
  paddedWebhookSecret,
  generateWebhookSecret,
  signPolisWebhook,
  signStandardWebhook,
  type WebhookKeys,
  webhookKeys,
  verifyStandardWebhook,
  type StandardWebhookHeaders,
} from './webhook-signature.js';
