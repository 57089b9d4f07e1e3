/** Injection token of the ring of HMAC_SECRETS. */
export const HMAC_RING = Symbol('HMAC_RING');

/** Injection token of the ring of ENCRYPTION_KEYS. */
export const ENCRYPTION_RING = Symbol('ENCRYPTION_RING');
