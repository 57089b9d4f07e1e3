import { Injectable } from '@nestjs/common';
import { ClientAddresses } from '@gatehouse/kit/clients';
import { DomainError, KitErrors } from '@gatehouse/kit/errors';
import { type CredentialHolder, type CredentialVerifier } from '@gatehouse/nest-kit/admin';
import { type VerificationErrorCode } from '@gatehouse/schemas';
import { type FastifyRequest } from 'fastify';
import { CREDENTIAL_ERRORS } from '../errors.js';
import { judge } from './administrators.js';
import { meterHeaders } from './verification-result.js';
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
      limits: undefined,
      tags: undefined,
      cache: 'use',
      address: () => this.addresses.of(request),
    });
    const { outcome, sub: keyId, actor_id: actorId, scopes } = judge(result);
    switch (outcome) {
      case 'live':
        return { keyId, actorId, scopes };
      case 'refused':
        return null;
      case 'unavailable':
        throw new DomainError(KitErrors.UNAVAILABLE, { retryAfterSeconds: 1 });
      case 'rate_limited':
        // Temporary. Answering 401 would make clients discard a valid key.
        throw new DomainError(CREDENTIAL_ERRORS[result.error as VerificationErrorCode], {
          headers: meterHeaders(result),
        });
    }
  }
}
