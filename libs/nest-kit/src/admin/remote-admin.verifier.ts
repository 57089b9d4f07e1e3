import { randomUUID } from 'node:crypto';
import { hashedIssuedSecret } from '@gatehouse/crypto';
import { type JudgeAdministratorRequest, MessagePatterns } from '@gatehouse/schemas';
import { Inject, Injectable } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { type Logger } from 'pino';
import { DomainError } from '@gatehouse/kit/errors';
import { KitErrors } from '@gatehouse/kit/errors';
import { ClientAddresses } from '@gatehouse/kit/clients';
import { LOGGER } from '../logging/logger.js';
import { MessageClient } from '../exchange/message-client.js';
import { type CredentialHolder, type CredentialVerifier } from './admin-auth.js';
import { type Judgment, verdictReader } from './admin-verdict.js';

/** The name of this service and the keys of the verdicts that it accepts. */
export interface VerdictOptions {
  service: string;
  /** VERDICT_PUBLIC_KEYS. */
  publicKeys: string;
}

export const VERDICT_OPTIONS = Symbol('VERDICT_OPTIONS');

const REFUSED_TTL_MS = 5_000;
const REFUSED_MAX = 10_000;

/**
 * Asks the key service whether an issued key is an administrator of this service. Only
 * the hash of the secret and the client's address are sent, and only a signed verdict is accepted.
 * Texts that are not issued keys are refused without a request.
 */
@Injectable()
export class RemoteAdminVerifier implements CredentialVerifier {
  private readonly readVerdict: ReturnType<typeof verdictReader>;
  /** Digests, each with the address of its client, that were refused a moment ago. */
  private readonly refused = new LRUCache<string, true>({ max: REFUSED_MAX, ttl: REFUSED_TTL_MS });

  constructor(
    private readonly messages: MessageClient,
    private readonly addresses: ClientAddresses,
    @Inject(VERDICT_OPTIONS) private readonly options: VerdictOptions,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.readVerdict = verdictReader(options.publicKeys);
  }

  async verify(credential: string, request: FastifyRequest): Promise<CredentialHolder | null> {
    const secret = hashedIssuedSecret(credential);
    if (secret === null) return null;
    const { keyId, digest } = secret;
    const address = this.addresses.of(request);
    // A key that is bound to networks is refused to some clients only.
    const refused = `${digest} ${address ?? ''}`;
    if (this.refused.has(refused)) return null;
    const question = {
      key_id: keyId,
      secret_sha256: digest,
      ...(address !== undefined && { client_ip: address }),
    };
    const { outcome, ...judgment } = await this.judge(question);
    switch (outcome) {
      case 'live':
        return {
          keyId: judgment.sub,
          actorId: judgment.actor_id,
          scopes: judgment.scopes,
        };
      case 'refused':
        this.refused.set(refused, true);
        return null;
      // Both are temporary. Answering 401 would make clients discard a valid key.
      case 'rate_limited':
        throw new DomainError(KitErrors.CREDENTIAL_RATE_LIMITED, { retryAfterSeconds: 1 });
      case 'unavailable':
        throw new DomainError(KitErrors.UNAVAILABLE, { retryAfterSeconds: 1 });
    }
  }

  private async judge(question: Omit<JudgeAdministratorRequest, 'nonce'>): Promise<Judgment> {
    const nonce = randomUUID();
    const request: JudgeAdministratorRequest = { ...question, nonce };
    const { verdict } = await this.messages.request(MessagePatterns.judgeAdministrator, request);
    try {
      return await this.readVerdict(verdict, { asker: this.options.service, ...request });
    } catch (error) {
      this.logger.warn({ reason: String(error) }, 'a verdict about an administrator was refused');
      throw new DomainError(KitErrors.UNAVAILABLE, { retryAfterSeconds: 1 });
    }
  }
}
