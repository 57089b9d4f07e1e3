import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import {
  type JudgeAdministratorReply,
  MessagePatterns,
  type VerifyKeyReply,
} from '@gatehouse/schemas';
import { verdictSigner } from '@gatehouse/nest-kit/admin';
import { MessageContext } from '@gatehouse/nest-kit/exchange';
import { KeyServiceConfig } from '../config.js';
import { RequestInput } from '../api/input.js';
import { judgeFor } from './administrators.js';
import { verificationJson } from './verification-result.js';
import { readVerifyRequest } from './verification-request.js';
import { VerificationService } from './verification.service.js';

const NONCE_CHARACTERS_MAX = 64;
const DIGEST_CHARACTERS = 44;

/** Verification for other services over Redis. */
@Controller()
export class KeysVerifyController {
  private readonly signVerdict: ReturnType<typeof verdictSigner>;

  constructor(
    private readonly input: RequestInput,
    private readonly service: VerificationService,
    config: KeyServiceConfig,
  ) {
    this.signVerdict = verdictSigner(config.verdictSigningKey);
  }

  /**
   * The request and result of the HTTP route. Without `client_ip`, keys that are bound to addresses are
   * refused, because a message has no client address.
   */
  @MessagePattern(MessagePatterns.verifyKey)
  async verify(@Payload() payload: unknown): Promise<VerifyKeyReply> {
    const input = readVerifyRequest(payload, this.input);
    const result = await this.service.verify({
      ...input,
      cache: 'use',
      address: () => input.clientIp,
    });
    return JSON.parse(verificationJson(result)) as VerifyKeyReply;
  }

  /** Whether an issued key is an administrator of the service that asks. */
  @MessagePattern(MessagePatterns.judgeAdministrator)
  async judgeAdministrator(
    @Payload() payload: unknown,
    @Ctx() { sender: asker }: MessageContext,
  ): Promise<JudgeAdministratorReply> {
    const request = this.input.body(payload);
    const nonce = request.text('nonce', { min: 1, max: NONCE_CHARACTERS_MAX });
    const keyId = request.text('key_id', { min: 1 });
    const digest = request.text('secret_sha256', { max: DIGEST_CHARACTERS });
    const address = request.text('client_ip') || undefined;
    request.throwIfInvalid();
    const verification = await this.service.verifyHashed({ keyId, digest }, () => address);
    const question = { asker, nonce, key_id: keyId, secret_sha256: digest };
    const verdict = await this.signVerdict(judgeFor(asker, verification), {
      ...question,
      ...(address !== undefined && { client_ip: address }),
    });
    return { verdict };
  }
}
