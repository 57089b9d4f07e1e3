import { Injectable } from '@nestjs/common';
import { MessagePatterns, type VerifyKeyReply, type VerifyKeyRequest } from '@gatehouse/schemas';
import { DomainError } from '../errors/domain-error.js';
import { KitErrors } from '../errors/kit.errors.js';
import { MessageClient } from '../messaging/messaging.module.js';
import { type CredentialHolder, type CredentialVerifier } from './admin-auth.js';

/** Asks the key service, over the Redis transport, whether a credential is live. */
@Injectable()
export class RemoteCredentialVerifier implements CredentialVerifier {
  constructor(private readonly messages: MessageClient) {}

  async verify(credential: string): Promise<CredentialHolder | null> {
    const request: VerifyKeyRequest = { credential };
    const result = await this.messages.request<VerifyKeyReply>(MessagePatterns.verifyKey, request);
    // Both are temporary. Answering 401 would make clients discard a valid key.
    if (result.error_code === 'VERIFICATION_ERROR_INTERNAL') {
      throw new DomainError(KitErrors.UNAVAILABLE, { retryAfterSeconds: 1 });
    }
    if (result.error_code === 'VERIFICATION_ERROR_RATE_LIMITED') {
      throw new DomainError(KitErrors.CREDENTIAL_RATE_LIMITED, { retryAfterSeconds: 1 });
    }
    if (!result.is_valid) return null;
    return { keyId: result.key_id, actorId: result.actor_id, scopes: result.scopes };
  }
}
