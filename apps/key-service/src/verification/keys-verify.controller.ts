import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { MessagePatterns, type VerifyKeyReply } from '@gatehouse/schemas';
import { RequestInput } from '../wire/input.js';
import { verificationJson } from './verification-result.js';
import { readVerifyRequest } from './verification-request.js';
import { VerificationService } from './verification.service.js';

/** Verification for other services over Redis, with the request and result of the HTTP route. */
@Controller()
export class KeysVerifyController {
  constructor(
    private readonly input: RequestInput,
    private readonly service: VerificationService,
  ) {}

  /** Refuses keys that are bound to addresses, because a message has no client address. */
  @MessagePattern(MessagePatterns.verifyKey)
  async verify(@Payload() payload: unknown): Promise<VerifyKeyReply> {
    const result = await this.service.verify({
      ...readVerifyRequest(payload, this.input),
      cache: 'use',
      address: () => undefined,
    });
    return JSON.parse(verificationJson(result)) as VerifyKeyReply;
  }
}
