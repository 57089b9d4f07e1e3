import { Injectable } from '@nestjs/common';
import {
  type CredentialHolder,
  type CredentialVerifier,
  DomainError,
  KitErrors,
} from '@gatehouse/service-kit';
import type { FastifyRequest } from 'fastify';
import { ClientAddresses } from '../wire/call-context.js';
import { grantedScopes, rateLimitHeaders } from './verification-result.js';
import { VerificationService } from './verification.service.js';

/** Lets a live issued key be an admin credential of this service itself. */
@Injectable()
export class LocalCredentialVerifier implements CredentialVerifier {
  constructor(
    private readonly service: VerificationService,
    private readonly addresses: ClientAddresses,
  ) {}

  async verify(credential: string, request: FastifyRequest): Promise<CredentialHolder | null> {
    const result = await this.service.verify({
      credential,
      requiredScopes: undefined,
      audience: undefined,
      cache: 'use',
      address: () => this.addresses.of(request),
    });
    if (result.error === 'VERIFICATION_ERROR_INTERNAL') {
      throw new DomainError(KitErrors.UNAVAILABLE, { retryAfterSeconds: 1 });
    }
    if (result.error === 'VERIFICATION_ERROR_RATE_LIMITED') {
      // Temporary. Answering 401 would make clients discard a valid key.
      const headers = result.rateLimit && rateLimitHeaders(result.rateLimit);
      throw new DomainError(KitErrors.CREDENTIAL_RATE_LIMITED, { headers });
    }
    if (result.error !== undefined || result.key?.kind !== 'issued' || result.token) return null;
    return {
      keyId: result.key.keyId,
      actorId: result.key.actorId,
      scopes: grantedScopes(result),
    };
  }
}
