import {
  type DeliveryPage,
  type DirectorySync,
  type EndpointChanges,
  type EndpointRotation,
  type NewWebhookEndpoint,
} from '@gatehouse/directory-sync';
import { AdminCalls } from '@gatehouse/nest-kit/admin';
import {
  arrayOf,
  Describe,
  optionalParameters,
  schemaRef,
  type Schema,
} from '@gatehouse/nest-kit/openapi';
import {
  Body,
  Delete,
  Get,
  HttpCode,
  Inject,
  Param,
  Patch,
  Post,
  Query,
  Req,
  Res,
} from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { answer } from '../management/answer.js';
import { jsonObject } from '../management/json-object.pipe.js';
import { ManagementController } from '../management/management.decorators.js';
import { done, type DsyncOperation, NULL } from '../openapi/operation.js';
import { DIRECTORY_SYNC } from '../sync.module.js';

const ONE = ':directoryId/webhook-endpoints/:id';

const pageQuery = (after: string): DsyncOperation['parameters'] =>
  optionalParameters('query', {
    limit: { type: 'number', description: 'Default 50, at most 1000.' },
    after: { description: after },
  });

/** What is done to one endpoint. */
function operation(
  id: string,
  summary: string,
  data: string | Schema = 'WebhookEndpoint',
  more: Partial<DsyncOperation> = {},
): DsyncOperation {
  return { id, summary, tag: 'Webhooks', answer: done(data), errors: [404], ...more };
}

/** The endpoints that receive the events of a directory. */
@ManagementController()
export class WebhookEndpointsController {
  private readonly endpoints: DirectorySync['webhookEndpoints'];

  constructor(
    @Inject(DIRECTORY_SYNC) sync: DirectorySync,
    private readonly calls: AdminCalls,
  ) {
    this.endpoints = sync.webhookEndpoints;
  }

  @Get(':directoryId/webhook-endpoints')
  @Describe<DsyncOperation>(
    operation(
      'listWebhookEndpoints',
      'List the webhook endpoints of a directory, the oldest first',
      arrayOf(schemaRef('WebhookEndpoint')),
    ),
  )
  async list(
    @Param('directoryId') directoryId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answer(reply, await this.endpoints.list(directoryId));
  }

  @Post(':directoryId/webhook-endpoints')
  @Describe<DsyncOperation>({
    id: 'createWebhookEndpoint',
    summary: 'Add an endpoint that receives the events of a directory',
    description: 'A directory has at most ten, its webhook included.',
    tag: 'Webhooks',
    body: 'NewWebhookEndpoint',
    answer: done('WebhookEndpointSecret', 201),
    errors: [400, 404, 409],
  })
  async create(
    @Req() request: FastifyRequest,
    @Param('directoryId') directoryId: string,
    @Body(jsonObject) body: NewWebhookEndpoint,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const call = this.calls.of(request);
    return answer(reply, await this.endpoints.create(directoryId, body, call), 201);
  }

  @Get(ONE)
  @Describe<DsyncOperation>(
    operation('getWebhookEndpoint', 'Get a webhook endpoint, with its health'),
  )
  async get(
    @Param('directoryId') directoryId: string,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answer(reply, await this.endpoints.get(directoryId, id));
  }

  @Patch(ONE)
  @Describe<DsyncOperation>(
    operation(
      'updateWebhookEndpoint',
      'Change the members that are sent; null resets one',
      'WebhookEndpoint',
      { body: 'WebhookEndpointChanges', errors: [400, 404] },
    ),
  )
  async update(
    @Req() request: FastifyRequest,
    @Param('directoryId') directoryId: string,
    @Param('id') id: string,
    @Body(jsonObject) body: EndpointChanges,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const call = this.calls.of(request);
    return answer(reply, await this.endpoints.update(directoryId, id, body, call));
  }

  @Delete(ONE)
  @Describe<DsyncOperation>(
    operation('deleteWebhookEndpoint', 'Delete a webhook endpoint', NULL, { errors: [400, 404] }),
  )
  async delete(
    @Req() request: FastifyRequest,
    @Param('directoryId') directoryId: string,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answer(reply, await this.endpoints.delete(directoryId, id, this.calls.of(request)));
  }

  @Post(`${ONE}/rotate-secret`)
  @HttpCode(200)
  @Describe<DsyncOperation>(
    operation(
      'rotateWebhookSecret',
      'Replace the secret of a webhook endpoint',
      'WebhookEndpointSecret',
      { body: 'WebhookSecretRotation', isBodyOptional: true, errors: [400, 404] },
    ),
  )
  async rotateSecret(
    @Req() request: FastifyRequest,
    @Param('directoryId') directoryId: string,
    @Param('id') id: string,
    @Body(jsonObject) body: EndpointRotation,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const call = this.calls.of(request);
    return answer(reply, await this.endpoints.rotateSecret(directoryId, id, body, call));
  }

  @Post(`${ONE}/pause`)
  @HttpCode(200)
  @Describe<DsyncOperation>(
    operation('pauseWebhookEndpoint', 'Pause a webhook endpoint; events wait'),
  )
  async pause(
    @Req() request: FastifyRequest,
    @Param('directoryId') directoryId: string,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answer(reply, await this.endpoints.pause(directoryId, id, this.calls.of(request)));
  }

  @Post(`${ONE}/resume`)
  @HttpCode(200)
  @Describe<DsyncOperation>(
    operation('resumeWebhookEndpoint', 'Continue with the event after the last one delivered'),
  )
  async resume(
    @Req() request: FastifyRequest,
    @Param('directoryId') directoryId: string,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answer(reply, await this.endpoints.resume(directoryId, id, this.calls.of(request)));
  }

  @Post(`${ONE}/test`)
  @HttpCode(200)
  @Describe<DsyncOperation>(
    operation('testWebhookEndpoint', 'Send a signed webhook.ping now', 'WebhookTest'),
  )
  async test(
    @Req() request: FastifyRequest,
    @Param('directoryId') directoryId: string,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answer(reply, await this.endpoints.test(directoryId, id, this.calls.of(request)));
  }

  @Get(`${ONE}/status`)
  @Describe<DsyncOperation>(
    operation(
      'getWebhookEndpointStatus',
      'Count the events that wait for an endpoint',
      'WebhookEndpointStatus',
    ),
  )
  async status(
    @Param('directoryId') directoryId: string,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answer(reply, await this.endpoints.status(directoryId, id));
  }

  @Get(`${ONE}/attempts`)
  @Describe<DsyncOperation>(
    operation(
      'listDeliveryAttempts',
      'List the attempts to deliver to an endpoint, the newest first',
      arrayOf(schemaRef('EndpointAttempt')),
      { parameters: pageQuery('Id of the last attempt that was read.'), errors: [400, 404] },
    ),
  )
  async attempts(
    @Param('directoryId') directoryId: string,
    @Param('id') id: string,
    @Query() page: DeliveryPage,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answer(reply, await this.endpoints.attempts(directoryId, id, page));
  }

  @Get(`${ONE}/parked`)
  @Describe<DsyncOperation>(
    operation(
      'listParkedEventsOfEndpoint',
      'List the events that an endpoint refused while it took others, the newest first',
      arrayOf(schemaRef('ParkedEvent')),
      { parameters: pageQuery('Sequence of the last event that was read.'), errors: [400, 404] },
    ),
  )
  async parked(
    @Param('directoryId') directoryId: string,
    @Param('id') id: string,
    @Query() page: DeliveryPage,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answer(reply, await this.endpoints.parked(directoryId, id, page));
  }
}
