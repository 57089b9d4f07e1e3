import { DomainError } from '@gatehouse/kit/errors';
import { parseUrl } from '@gatehouse/kit/input';
import { Describe } from '@gatehouse/nest-kit/openapi';
import { Controller, Get, Header } from '@nestjs/common';
import { type KeyOperation } from '../../api/openapi/operation.js';
import { KeyServiceConfig } from '../../config.js';
import { KeyErrors } from '../../errors.js';
import { JWKS_MAX_AGE_SECONDS } from '../../verification/credentials/signing-keys.service.js';
import { TOKEN_EXCHANGE_GRANT, TOKEN_PATH } from './oauth.types.js';

/** Metadata for clients and verifiers of tokens (RFC 8414). */
@Controller('.well-known')
export class AuthorizationServerController {
  constructor(private readonly config: KeyServiceConfig) {}

  @Get('oauth-authorization-server')
  @Describe<KeyOperation>({
    id: 'getAuthorizationServerMetadata',
    summary: 'Where tokens are exchanged, and which keys verify them (RFC 8414)',
    tag: 'Tokens',
    answer: {
      status: 200,
      schema: 'AuthorizationServerMetadata',
      description: 'The metadata. 404 unless ISSUER is an address.',
      headers: { 'Cache-Control': 'How long it may be kept.' },
    },
    errors: [404],
    isPublic: true,
  })
  // As the keys that it names.
  @Header('Access-Control-Allow-Origin', '*')
  @Header('Cross-Origin-Resource-Policy', 'cross-origin')
  @Header('Cache-Control', `public, max-age=${JWKS_MAX_AGE_SECONDS}`)
  metadata() {
    const { issuer, externalUrl = issuer } = this.config;
    // Verifiers compare the issuer with the address that they read it from (section 3.3).
    const protocol = parseUrl(issuer)?.protocol ?? '';
    if (!['http:', 'https:'].includes(protocol)) throw new DomainError(KeyErrors.METADATA_CLOSED);
    const base = externalUrl.replace(/\/$/, '');
    return {
      issuer,
      token_endpoint: base + TOKEN_PATH,
      jwks_uri: `${base}/v2alpha1/derivedKeys/jwks.json`,
      grant_types_supported: [TOKEN_EXCHANGE_GRANT],
      response_types_supported: [],
      token_endpoint_auth_methods_supported: ['none'],
    };
  }
}
