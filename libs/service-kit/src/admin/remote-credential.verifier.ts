import { Injectable } from '@nestjs/common';
import { MessagePatterns } from '@gatehouse/schemas';
import { DomainError } from '../errors/domain-error.js';
import { MessageClient } from '../messaging/messaging.module.js';
import { type CredentialHolder, type CredentialVerifier } from './admin-auth.js';

interface VerificationResult {
  is_valid: boolean;
  key_id: string;
  actor_id: string;
  scopes: string[];
  error_code?: string;
}

/** Asks the key service, over the Redis transport, whether a credential is live. */
@Injectable()
export class RemoteCredentialVerifier implements CredentialVerifier {
  constructor(private readonly messages: MessageClient) {}

  async verify(credential: string): Promise<CredentialHolder | null> {
    const result = await this.messages.request<VerificationResult>(MessagePatterns.verifyKey, {
      credential,
    });
    // Neither says anything against the credential: a 401 would be taken for its end.
    if (result.error_code === 'VERIFICATION_ERROR_INTERNAL') {
      throw new DomainError('unavailable', 'UNAVAILABLE', 'Try again later.', {
        retryAfterSeconds: 1,
      });
    }
    if (result.error_code === 'VERIFICATION_ERROR_RATE_LIMITED') {
      const message = 'The rate limit of the credential is exhausted.';
      throw new DomainError('rate_limited', 'CREDENTIAL_RATE_LIMITED', message, {
        retryAfterSeconds: 1,
      });
    }
    if (!result.is_valid) return null;
    return { keyId: result.key_id, actorId: result.actor_id, scopes: result.scopes };
  }
}
