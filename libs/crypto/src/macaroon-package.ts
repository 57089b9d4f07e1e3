// The npm package `macaroon` has no types; this declares the part that we use.
import macaroonPackage from 'macaroon';

export interface MacaroonCaveat {
  readonly identifier: Uint8Array;
  readonly location?: string;
  readonly vid?: Uint8Array;
}

export interface Macaroon {
  /** Null in one that was read, and has none. */
  readonly location: string | null;
  readonly identifier: Uint8Array;
  readonly caveats: readonly MacaroonCaveat[];
  readonly signature: Uint8Array;
  addFirstPartyCaveat(condition: string): void;
  verify(rootKey: Uint8Array, check: (condition: string) => string | null): void;
  exportJSON(): unknown;
  exportBinary(): Uint8Array;
}

export interface MacaroonPackage {
  readonly newMacaroon: (parts: {
    identifier: string | Uint8Array;
    location: string;
    rootKey: Uint8Array;
    version: 2;
  }) => Macaroon;
  readonly importMacaroon: (binary: Uint8Array) => Macaroon;
}

export const { newMacaroon, importMacaroon } = macaroonPackage as MacaroonPackage;
