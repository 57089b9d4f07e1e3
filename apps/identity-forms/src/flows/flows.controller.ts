import { AdminCalls } from '@gatehouse/nest-kit/admin';
import { Describe } from '@gatehouse/nest-kit/openapi';
import { Body, Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { IdentityFormsConfig } from '../config.js';
import { type FormsOperation, LOCATION } from '../openapi/operation.js';
import { SchemaCatalog } from '../schemas/schema-catalog.js';
import { FlowAddress } from './flow-address.js';
import {
  flowResponse,
  type FlowResponse,
  readStartFlow,
  type StartedFlowResponse,
} from './flow.dto.js';
import { OpenFlows } from './open-flows.js';

@Controller('v1/flows')
export class FlowsController {
  constructor(
    private readonly flows: OpenFlows,
    private readonly catalog: SchemaCatalog,
    private readonly address: FlowAddress,
    private readonly config: IdentityFormsConfig,
    private readonly calls: AdminCalls,
  ) {}

  @Post()
  @Describe<FormsOperation>({
    id: 'startFlow',
    summary: 'Start a flow: an address to send a person to',
    tag: 'Flows',
    body: 'FlowInput',
    answer: { status: 201, schema: 'StartedFlowResponse', headers: LOCATION },
    errors: [404],
  })
  async start(
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StartedFlowResponse> {
    const wanted = readStartFlow(body);
    const options = {
      isBound: wanted.isBound,
      ttlSeconds: wanted.ttlSeconds ?? this.config.flowTtlSeconds,
      returnTo:
        wanted.returnTo === undefined ? undefined : this.address.checkReturnTo(wanted.returnTo),
    };
    const urlOf = this.address.urlsFor(request);
    const call = this.calls.of(request);
    const flow =
      wanted.kind === 'sign-up'
        ? await this.flows.startSignUp(await this.catalog.get(wanted.schemaId), options, call)
        : await this.flows.startProfile(wanted.identityId, options, call);
    const url = urlOf(flow.secret);
    reply.header('location', url).header('cache-control', 'no-store');
    return { id: flow.id, url, expires_at: flow.expiresAt.toISOString() };
  }

  @Get(':id')
  @Describe<FormsOperation>({
    id: 'getFlow',
    summary: 'Get the result of a flow, and its identity',
    tag: 'Flows',
    answer: { status: 200, schema: 'FlowResponse' },
    errors: [400, 404],
  })
  async get(@Param('id') id: string): Promise<FlowResponse> {
    return flowResponse(await this.flows.get(id));
  }
}
