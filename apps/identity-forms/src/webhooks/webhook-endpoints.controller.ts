import {
  type Endpoint,
  type EndpointView,
  endpointView,
  type TestView,
  testView,
} from '@gatehouse/delivery';
import { AdminCalls } from '@gatehouse/nest-kit/admin';
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
  Req,
  Res,
} from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { IdentityFormsConfig } from '../config.js';
import { type FormsOperation } from '../openapi/operation.js';
import {
  optionsOf,
  readEndpointPatch,
  readNewEndpoint,
  readSecretRotation,
} from './endpoint.dto.js';
import { WebhookEndpointsService } from './webhook-endpoints.service.js';

type WithSecret = EndpointView & { secret: string };

const TAG = 'Webhooks';
const GUARDED = [401, 403, 409];

@Controller('v1/webhook-endpoints')
export class WebhookEndpointsController {
  constructor(
    private readonly config: IdentityFormsConfig,
    private readonly endpoints: WebhookEndpointsService,
    private readonly calls: AdminCalls,
  ) {}

  @Post()
  @Header('Cache-Control', 'no-store')
  @Describe<FormsOperation>({
    id: 'createWebhookEndpoint',
    summary: 'Add an endpoint that receives the events of identities',
    tag: TAG,
    body: 'CreateWebhookEndpointRequest',
    answer: { status: 201, schema: 'WebhookEndpointSecretResponse' },
    errors: [400, ...GUARDED, 413, 415],
  })
  async create(
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<WithSecret> {
    const endpoint = readNewEndpoint(body, optionsOf(this.config));
    const created = await this.endpoints.create(endpoint, this.calls.of(request));
    reply.header('location', `/v1/webhook-endpoints/${created.endpoint.id}`);
    return { ...this.response(created.endpoint), secret: created.secret };
  }

  @Get()
  @Describe<FormsOperation>({
    id: 'listWebhookEndpoints',
    summary: 'List all webhook endpoints, at most ten, oldest first',
    tag: TAG,
    answer: { status: 200, schema: 'WebhookEndpointListResponse' },
    errors: GUARDED,
  })
  async list(): Promise<{ webhook_endpoints: EndpointView[] }> {
    const endpoints = await this.endpoints.list();
    return { webhook_endpoints: endpoints.map((endpoint) => this.response(endpoint)) };
  }

  @Get(':id')
  @Describe<FormsOperation>({
    id: 'getWebhookEndpoint',
    summary: 'Get a webhook endpoint, with its health',
    tag: TAG,
    answer: { status: 200, schema: 'WebhookEndpointResponse' },
    errors: [...GUARDED, 404],
  })
  async get(@Param('id') id: string): Promise<EndpointView> {
    return this.response(await this.endpoints.get(id));
  }

  @Patch(':id')
  @Describe<FormsOperation>({
    id: 'patchWebhookEndpoint',
    summary: 'Change the members that are sent; null resets one',
    tag: TAG,
    body: 'PatchWebhookEndpointRequest',
    answer: { status: 200, schema: 'WebhookEndpointResponse' },
    errors: [400, ...GUARDED, 404, 413, 415],
  })
  async patch(
    @Param('id') id: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
  ): Promise<EndpointView> {
    const changes = readEndpointPatch(body, optionsOf(this.config));
    return this.response(await this.endpoints.update(id, changes, this.calls.of(request)));
  }

  @Delete(':id')
  @HttpCode(204)
  @Describe<FormsOperation>({
    id: 'deleteWebhookEndpoint',
    summary: 'Delete a webhook endpoint',
    tag: TAG,
    answer: { status: 204 },
    errors: [...GUARDED, 404],
  })
  delete(@Param('id') id: string, @Req() request: FastifyRequest): Promise<void> {
    return this.endpoints.delete(id, this.calls.of(request));
  }

  @Post(':id/rotate-secret')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @Describe<FormsOperation>({
    id: 'rotateWebhookSecret',
    summary: 'Replace the secret of a webhook endpoint',
    tag: TAG,
    body: 'RotateWebhookSecretRequest',
    isBodyOptional: true,
    answer: { status: 200, schema: 'WebhookEndpointSecretResponse' },
    errors: [400, ...GUARDED, 404, 413, 415],
  })
  async rotateSecret(
    @Param('id') id: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
  ): Promise<WithSecret> {
    const rotation = readSecretRotation(body);
    const rotated = await this.endpoints.rotateSecret(id, rotation, this.calls.of(request));
    return { ...this.response(rotated.endpoint), secret: rotated.secret };
  }

  @Post(':id/pause')
  @HttpCode(200)
  @Describe<FormsOperation>({
    id: 'pauseWebhookEndpoint',
    summary: 'Pause a webhook endpoint; events wait',
    tag: TAG,
    answer: { status: 200, schema: 'WebhookEndpointResponse' },
    errors: [...GUARDED, 404],
  })
  async pause(@Param('id') id: string, @Req() request: FastifyRequest): Promise<EndpointView> {
    return this.response(await this.endpoints.pause(id, this.calls.of(request)));
  }

  @Post(':id/resume')
  @HttpCode(200)
  @Describe<FormsOperation>({
    id: 'resumeWebhookEndpoint',
    summary: 'Continue with the event after the last one delivered',
    tag: TAG,
    answer: { status: 200, schema: 'WebhookEndpointResponse' },
    errors: [...GUARDED, 404],
  })
  async resume(@Param('id') id: string, @Req() request: FastifyRequest): Promise<EndpointView> {
    return this.response(await this.endpoints.resume(id, this.calls.of(request)));
  }

  @Post(':id/test')
  @HttpCode(200)
  @Describe<FormsOperation>({
    id: 'testWebhookEndpoint',
    summary: 'Send a signed webhook.ping now',
    tag: TAG,
    answer: { status: 200, schema: 'WebhookTestResponse' },
    errors: [...GUARDED, 404],
  })
  async test(@Param('id') id: string, @Req() request: FastifyRequest): Promise<TestView> {
    return testView(await this.endpoints.test(id, this.calls.of(request)));
  }

  private response(endpoint: Endpoint): EndpointView {
    return endpointView(endpoint, this.endpoints.headerNames(endpoint));
  }
}
