import { Injectable } from '@nestjs/common';
import { MessagePatterns } from '@gatehouse/schemas';
import { MessageClient } from '../messaging/messaging.module.js';
import { type CredentialHolder, type CredentialVerifier } from './admin-auth.js';

interface VerificationResult {
  is_valid: boolean;
  key_id: string;
  actor_id: string;
  scopes: string[];
}

/** Asks the key service, over the Redis transport, whether a credential is live. */
@Injectable()
export class RemoteCredentialVerifier implements CredentialVerifier {
  constructor(private readonly messages: MessageClient) {}

  async verify(credential: string): Promise<CredentialHolder | null> {
    const result = await this.messages.request<VerificationResult>(MessagePatterns.verifyKey, {
      credential,
    });
    if (!result.is_valid) return null;
    return { keyId: result.key_id, actorId: result.actor_id, scopes: result.scopes };
  }
}
