import { Body, Controller, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ClientAddresses } from '@gatehouse/kit/clients';
import { adminCallerOf } from '@gatehouse/nest-kit/admin';
import { Describe } from '@gatehouse/nest-kit/openapi';
import { type FastifyRequest } from 'fastify';
import { type CreditsView, creditsView } from '../../store/credits/credit.types.js';
import { type KeyOperation } from '../../api/openapi/operation.js';
import { type KeyRecord } from '../../store/keys/key.record.js';
import { type CallContext, callContextOf } from '../../api/call-context.js';
import { readAmount, readBalance } from '../../api/fields/credit-fields.js';
import { RequestInput } from '../../api/input.js';
import { CreditsService } from './credits.service.js';
import { KeyIdPipe } from '../key-id.pipe.js';
import { NeedsScope } from '../needs-scope.js';

const REQUEST_ID_CHARACTERS_MAX = 36;
const ANSWER = {
  status: 200,
  schema: 'KeyCreditsResponse',
  description: 'The credits as they are now.',
} as const;

interface KeyCreditsView {
  key_id: string;
  credits: CreditsView | null;
}

/** Custom methods (AIP-136) on the credits of a key of either kind. */
@Controller('v2alpha1/admin/apiKeys')
export class KeyCreditsController {
  constructor(
    private readonly addresses: ClientAddresses,
    private readonly input: RequestInput,
    private readonly service: CreditsService,
  ) {}

  @Post(':key_id(^[^:/]+)::addCredits')
  @HttpCode(200)
  @NeedsScope('keys:issue')
  @Describe<KeyOperation>({
    id: 'adminAddApiKeyCredits',
    summary: 'Add to the credits of a key',
    description: 'With a request_id, a repeat adds nothing; the last 100 of a balance are known.',
    tag: 'Keys',
    body: 'AddCreditsRequest',
    answer: ANSWER,
    errors: [400, 404, 409],
  })
  async add(
    @Req() request: FastifyRequest,
    @Param('key_id', KeyIdPipe) keyId: string,
    @Body() json: unknown,
  ): Promise<KeyCreditsView> {
    const body = this.input.body(json);
    const amount = readAmount(body, 'amount', 1);
    const requestId = body.text('request_id', { max: REQUEST_ID_CHARACTERS_MAX }) || null;
    body.throwIfInvalid();
    return viewOf(await this.service.add(keyId, amount, requestId, this.contextOf(request)));
  }

  @Post(':key_id(^[^:/]+)::setCredits')
  @HttpCode(200)
  @NeedsScope('keys:issue')
  @Describe<KeyOperation>({
    id: 'adminSetApiKeyCredits',
    summary: 'Replace the credits of a key',
    description: 'A key without credits gets them.',
    tag: 'Keys',
    body: 'CreditsInput',
    answer: ANSWER,
    errors: [400, 404],
  })
  async set(
    @Req() request: FastifyRequest,
    @Param('key_id', KeyIdPipe) keyId: string,
    @Body() json: unknown,
  ): Promise<KeyCreditsView> {
    const body = this.input.body(json);
    const credits = readBalance(body);
    body.throwIfInvalid();
    return viewOf(await this.service.set(keyId, credits, this.contextOf(request)));
  }

  @Post(':key_id(^[^:/]+)::removeCredits')
  @HttpCode(200)
  @NeedsScope('keys:issue')
  @Describe<KeyOperation>({
    id: 'adminRemoveApiKeyCredits',
    summary: 'Let a key be verified without credits',
    tag: 'Keys',
    answer: ANSWER,
    errors: [404],
  })
  async remove(
    @Req() request: FastifyRequest,
    @Param('key_id', KeyIdPipe) keyId: string,
  ): Promise<KeyCreditsView> {
    return viewOf(await this.service.remove(keyId, this.contextOf(request)));
  }

  private contextOf(request: FastifyRequest): CallContext {
    return callContextOf(this.addresses, request, adminCallerOf(request));
  }
}

function viewOf({ keyId, credits }: KeyRecord): KeyCreditsView {
  return { key_id: keyId, credits: credits && creditsView(credits) };
}
