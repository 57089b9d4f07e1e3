/** Error codes of this library. */
export type CryptoErrorCode =
  | 'KEY_RING_EMPTY'
  | 'KEY_TOO_SHORT'
  | 'KEY_DOUBLED'
  | 'SEALED_MALFORMED'
  | 'SEALED_KEY_UNKNOWN'
  | 'SEALED_TAMPERED'
  | 'WEBHOOK_SECRET_INVALID'
  | 'SECRET_INVALID'
  | 'MACAROON_MALFORMED'
  | 'MACAROON_TOO_LARGE'
  | 'MACAROON_TOO_MANY_CAVEATS'
  | 'MACAROON_SIGNATURE_INVALID';

/** Invalid input. The message never contains a secret, a credential or a plaintext. */
export class CryptoError extends Error {
  constructor(
    readonly code: CryptoErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'CryptoError';
  }
}
