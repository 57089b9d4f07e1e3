import { type Endpoint } from '@gatehouse/delivery';
import { ClientAddresses } from '@gatehouse/kit/clients';
import { adminCallerOf } from '@gatehouse/nest-kit/admin';
import { Describe } from '@gatehouse/nest-kit/openapi';
import {
  Body,
  Controller,
  Delete,
  Get,
  Header,
  HttpCode,
  Param,
  Patch,
  Post,
  Query,
  Req,
  Res,
} from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { KeyServiceConfig } from '../../config.js';
import { type KeyOperation, UPDATE_QUERY } from '../../api/openapi/operation.js';
import { type CallContext, callContextOf } from '../../api/call-context.js';
import { RequestInput } from '../../api/input.js';
import {
  optionsOf,
  readEndpointUpdate,
  readNewEndpoint,
  readSecretRotation,
} from './endpoint.input.js';
import { webhookEndpointView, type WebhookEndpointView, webhookTestView } from './endpoint.view.js';
import { WebhookEndpointsService } from './webhook-endpoints.service.js';

const PATH = 'v2alpha1/admin/webhookEndpoints';

interface WithSecretView {
  webhook_endpoint: WebhookEndpointView;
  secret: string;
}

/** What is done to one endpoint, with the answer as it is afterwards. */
function action(verb: 'pause' | 'resume', summary: string): KeyOperation {
  return {
    id: `admin${verb === 'pause' ? 'Pause' : 'Resume'}WebhookEndpoint`,
    summary,
    tag: 'Webhooks',
    answer: { status: 200, schema: 'WebhookEndpoint', description: 'The endpoint as it is now.' },
    errors: [404],
  };
}

@Controller(PATH)
export class WebhookEndpointsController {
  constructor(
    private readonly config: KeyServiceConfig,
    private readonly addresses: ClientAddresses,
    private readonly input: RequestInput,
    private readonly endpoints: WebhookEndpointsService,
  ) {}

  @Post()
  @Header('Cache-Control', 'no-store')
  @Describe<KeyOperation>({
    id: 'adminCreateWebhookEndpoint',
    summary: 'Add an endpoint that receives the events of keys',
    tag: 'Webhooks',
    body: 'CreateWebhookEndpointRequest',
    answer: {
      status: 201,
      schema: 'WebhookEndpointSecretResponse',
      description: 'The endpoint, and the secret that its webhooks are signed with.',
      headers: { Location: 'Where the endpoint is.' },
    },
    errors: [400, 409],
  })
  async create(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() json: unknown,
  ): Promise<WithSecretView> {
    const endpoint = readNewEndpoint(this.input.body(json), optionsOf(this.config));
    const created = await this.endpoints.create(endpoint, this.contextOf(request));
    reply.header('Location', `/${PATH}/${created.endpoint.id}`);
    return { webhook_endpoint: this.view(created.endpoint), secret: created.secret };
  }

  @Get()
  @Describe<KeyOperation>({
    id: 'adminListWebhookEndpoints',
    summary: 'List all webhook endpoints, the oldest first',
    tag: 'Webhooks',
    answer: { status: 200, schema: 'ListWebhookEndpointsResponse', description: 'At most ten.' },
    errors: [],
  })
  async list(): Promise<{ webhook_endpoints: WebhookEndpointView[] }> {
    const endpoints = await this.endpoints.list();
    return { webhook_endpoints: endpoints.map((endpoint) => this.view(endpoint)) };
  }

  @Get(':endpoint_id')
  @Describe<KeyOperation>({
    id: 'adminGetWebhookEndpoint',
    summary: 'Get a webhook endpoint, with its health',
    tag: 'Webhooks',
    answer: { status: 200, schema: 'WebhookEndpoint', description: 'The endpoint.' },
    errors: [404],
  })
  async get(@Param('endpoint_id') id: string): Promise<WebhookEndpointView> {
    return this.view(await this.endpoints.get(id));
  }

  @Patch(':endpoint_id')
  @Describe<KeyOperation>({
    id: 'adminUpdateWebhookEndpoint',
    summary: 'Update a webhook endpoint',
    tag: 'Webhooks',
    body: 'UpdateWebhookEndpointRequest',
    parameters: UPDATE_QUERY,
    answer: { status: 200, schema: 'WebhookEndpoint', description: 'The endpoint as it is now.' },
    errors: [400, 404],
  })
  async update(
    @Req() request: FastifyRequest,
    @Param('endpoint_id') id: string,
    @Query() query: object,
    @Body() json: unknown,
  ): Promise<WebhookEndpointView> {
    const mask = this.input.query(query).raw('update_mask');
    const changes = readEndpointUpdate(this.input.body(json), mask, optionsOf(this.config));
    return this.view(await this.endpoints.update(id, changes, this.contextOf(request)));
  }

  @Delete(':endpoint_id')
  @HttpCode(204)
  @Describe<KeyOperation>({
    id: 'adminDeleteWebhookEndpoint',
    summary: 'Delete a webhook endpoint',
    tag: 'Webhooks',
    answer: { status: 204, description: 'It receives nothing any more.' },
    errors: [404],
  })
  async delete(@Req() request: FastifyRequest, @Param('endpoint_id') id: string): Promise<void> {
    await this.endpoints.delete(id, this.contextOf(request));
  }

  @Post(':endpoint_id(^[^:/]+)::rotateSecret')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @Describe<KeyOperation>({
    id: 'adminRotateWebhookSecret',
    summary: 'Replace the secret of a webhook endpoint',
    tag: 'Webhooks',
    body: 'RotateWebhookSecretRequest',
    isBodyOptional: true,
    answer: {
      status: 200,
      schema: 'WebhookEndpointSecretResponse',
      description: 'The endpoint, and its new secret.',
    },
    errors: [400, 404],
  })
  async rotateSecret(
    @Req() request: FastifyRequest,
    @Param('endpoint_id') id: string,
    @Body() json: unknown,
  ): Promise<WithSecretView> {
    const rotation = readSecretRotation(this.input.body(json));
    const rotated = await this.endpoints.rotateSecret(id, rotation, this.contextOf(request));
    return { webhook_endpoint: this.view(rotated.endpoint), secret: rotated.secret };
  }

  @Post(':endpoint_id(^[^:/]+)::pause')
  @HttpCode(200)
  @Describe(action('pause', 'Pause a webhook endpoint; events wait'))
  async pause(
    @Req() request: FastifyRequest,
    @Param('endpoint_id') id: string,
  ): Promise<WebhookEndpointView> {
    return this.view(await this.endpoints.pause(id, this.contextOf(request)));
  }

  @Post(':endpoint_id(^[^:/]+)::resume')
  @HttpCode(200)
  @Describe(action('resume', 'Continue with the event after the last one delivered'))
  async resume(
    @Req() request: FastifyRequest,
    @Param('endpoint_id') id: string,
  ): Promise<WebhookEndpointView> {
    return this.view(await this.endpoints.resume(id, this.contextOf(request)));
  }

  @Post(':endpoint_id(^[^:/]+)::test')
  @HttpCode(200)
  @Describe<KeyOperation>({
    id: 'adminTestWebhookEndpoint',
    summary: 'Send a signed webhook.ping now',
    tag: 'Webhooks',
    answer: {
      status: 200,
      schema: 'TestWebhookEndpointResponse',
      description: 'What became of it.',
    },
    errors: [404],
  })
  async test(@Req() request: FastifyRequest, @Param('endpoint_id') id: string) {
    return webhookTestView(await this.endpoints.test(id, this.contextOf(request)));
  }

  private view(endpoint: Endpoint): WebhookEndpointView {
    return webhookEndpointView(endpoint, this.endpoints.headerNames(endpoint));
  }

  private contextOf(request: FastifyRequest): CallContext {
    return callContextOf(this.addresses, request, adminCallerOf(request));
  }
}
