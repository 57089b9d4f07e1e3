import { type KeyRing, openText, seal } from '@gatehouse/crypto';
import { type SealedEndpointColumn } from '../system.js';

/** Seals the secrets of endpoints under a key ring, each for one row and column. */
export class EndpointSecrets {
  constructor(
    private readonly ring: KeyRing,
    private readonly schema: string,
  ) {}

  seal(endpointId: string, column: SealedEndpointColumn, text: string): string {
    return seal(this.ring, text, this.place(endpointId, column));
  }

  /** @throws CryptoError if no key of the ring opens it here */
  open(endpointId: string, column: SealedEndpointColumn, sealed: string): string {
    return openText(this.ring, sealed, this.place(endpointId, column));
  }

  private place(endpointId: string, column: SealedEndpointColumn): string {
    return `${this.schema}.endpoints:${endpointId}:${column}`;
  }
}
