import { Describe } from '@gatehouse/nest-kit/openapi';
import { Controller, Get, Header } from '@nestjs/common';
import { type JWK } from 'jose';
import { type KeyOperation } from '../../api/openapi/operation.js';
import {
  JWKS_MAX_AGE_SECONDS,
  SigningKeysService,
} from '../../verification/credentials/signing-keys.service.js';

interface JwksView {
  /** RFC 7517 clients read this. */
  keys: JWK[];
  /** Clients of Ory Talos read this. */
  jwks: { keys: JWK[] };
}

@Controller('v2alpha1/derivedKeys')
export class JwksController {
  constructor(private readonly signingKeys: SigningKeysService) {}

  @Get('jwks.json')
  @Describe<KeyOperation>({
    id: 'getJWKS',
    summary: 'The public keys of derived JWTs',
    tag: 'Tokens',
    answer: {
      status: 200,
      schema: 'PublishedKeys',
      description: 'The key set.',
      headers: { 'Cache-Control': 'How long it may be kept.' },
    },
    errors: [],
    isPublic: true,
  })
  // The keys are public: a page of any origin may read them.
  @Header('Access-Control-Allow-Origin', '*')
  @Header('Cross-Origin-Resource-Policy', 'cross-origin')
  @Header('Cache-Control', `public, max-age=${JWKS_MAX_AGE_SECONDS}`)
  jwks(): JwksView {
    const keys = this.signingKeys.published().map(({ publicJwk }) => publicJwk);
    return { keys, jwks: { keys } };
  }
}
