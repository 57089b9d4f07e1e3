/** Issued keys are made here; imported keys were made elsewhere and are stored as a keyed hash. */
export type KeyKind = 'issued' | 'imported';

/** `quota` requests per `windowSeconds`; the quota is a 64-bit integer, as text. */
export interface RateLimitPolicy {
  readonly quota: string;
  readonly unit: string;
  readonly windowSeconds: number;
}
