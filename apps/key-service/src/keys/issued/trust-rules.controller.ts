import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import { ClientAddresses } from '@gatehouse/kit/clients';
import { Describe } from '@gatehouse/nest-kit/openapi';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { KeyServiceConfig } from '../../config.js';
import { type KeyOperation, LOCATION } from '../../api/openapi/operation.js';
import { RequestInput } from '../../api/input.js';
import { readTrustInput } from '../key-input.js';
import { keyRecordsController } from '../key-records.controller.js';
import { trustRuleView, type TrustRuleView } from '../key.view.js';
import { KeysService } from '../keys.service.js';
import { NeedsScope } from '../needs-scope.js';
import { IssueService } from './issue.service.js';

const PATH = 'v2alpha1/admin/trustRules';
const NAMES = {
  kind: 'trust',
  schema: 'TrustRule',
  record: 'trust_rule',
  one: 'a trust rule',
  many: 'trust rules',
} as const;

@Controller(PATH)
export class TrustRulesController extends keyRecordsController(NAMES, trustRuleView) {
  constructor(
    config: KeyServiceConfig,
    addresses: ClientAddresses,
    input: RequestInput,
    private readonly issuing: IssueService,
    keys: KeysService,
  ) {
    super(addresses, input, keys, config);
  }

  @Post()
  @NeedsScope('keys:issue')
  @Describe<KeyOperation>({
    id: 'adminCreateTrustRule',
    summary: 'Let tokens of another issuer be exchanged',
    tag: 'Keys',
    body: 'CreateTrustRuleRequest',
    answer: {
      status: 201,
      schema: 'TrustRule',
      description: 'The trust rule.',
      headers: LOCATION,
    },
    errors: [400, 402, 409],
  })
  async create(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() json: unknown,
  ): Promise<TrustRuleView> {
    const body = this.input.body(json);
    const input = readTrustInput(body, this.config);
    body.throwIfInvalid();
    const key = await this.issuing.createTrustRule(input, this.contextOf(request));
    reply.header('Location', `/${PATH}/${key.keyId}`);
    return trustRuleView(key);
  }
}
