/**
 * Derived macaroons. The identifier contains the id of the HMAC secret that the root key was
 * derived from, and the claims in a nested object, because custom claims may have any name.
 * All restrictions are caveats.
 */
import { Inject, Injectable } from '@nestjs/common';
import {
  checkMacaroonSignature,
  CryptoError,
  type KeyRing,
  mintMacaroon,
  readMacaroon,
} from '@gatehouse/crypto';
import { KeyServiceConfig } from '../../config.js';
import { HMAC_RING } from '../../key-rings.js';
import { audienceCaveat, readCaveats, scopeCaveat, timeCaveat } from './caveats.js';
import { type DerivedToken, type TokenFault } from './derived-token.js';
import { audiencesOf, type TokenClaims } from './jwt.js';

const PURPOSE = 'macaroon-root';

interface MacaroonIdentifier {
  root?: string;
  claims?: Partial<Pick<TokenClaims, 'sub'>> & { aud?: string | string[] };
}

@Injectable()
export class MacaroonTokens {
  constructor(
    private readonly config: KeyServiceConfig,
    @Inject(HMAC_RING) private readonly ring: KeyRing,
  ) {}

  /** Throws CryptoError MACAROON_TOO_LARGE when claims and scopes do not fit into a macaroon. */
  mint(claims: TokenClaims, audiences: readonly string[]): string {
    const { id, key } = this.ring.forPurpose(PURPOSE).current;
    const { scp, ...said } = claims;
    return mintMacaroon(
      {
        location: this.config.issuer,
        identifier: JSON.stringify({ root: id, claims: said }),
        caveats: [
          timeCaveat(claims.exp * 1000),
          scopeCaveat(scp),
          ...(audiences.length === 0 ? [] : [audienceCaveat(audiences)]),
        ],
      },
      key,
    );
  }

  readMacaroon(token: string): DerivedToken | TokenFault {
    try {
      const { identifier, caveats } = readMacaroon(token);
      const said = JSON.parse(identifier) as MacaroonIdentifier | null;
      const rootKey = this.ring.forPurpose(PURPOSE).find(String(said?.root));
      if (rootKey === undefined) return 'VERIFICATION_ERROR_SIGNATURE_INVALID';
      checkMacaroonSignature(token, rootKey.key);
      const claims = said?.claims;
      const meaning = readCaveats(caveats);
      if (meaning === undefined) return 'VERIFICATION_ERROR_INVALID_FORMAT';
      return {
        keyId: String(claims?.sub),
        scopes: meaning.scopes,
        expireAtMs: meaning.expireAtMs,
        audiences: [...audiencesOf(claims?.aud), ...meaning.audiences],
        networks: meaning.networks,
      };
    } catch (error) {
      if (!(error instanceof CryptoError) && !(error instanceof SyntaxError)) throw error;
      return 'VERIFICATION_ERROR_SIGNATURE_INVALID';
    }
  }
}
