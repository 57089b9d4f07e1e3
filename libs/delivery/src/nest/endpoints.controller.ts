import { AdminCalls } from '@gatehouse/nest-kit/admin';
import {
  Describe,
  type Schema,
  schemaRef,
  NULL,
  RequiredBodyGuard,
} from '@gatehouse/nest-kit/openapi';
import {
  Controller,
  Delete,
  Get,
  HttpCode,
  Inject,
  Patch,
  Post,
  Req,
  Res,
  type Type,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { WebhookAnswers } from './webhook-answers.js';
import { PAGE_PARAMETERS } from './webhook.schemas.js';
import {
  describing,
  pathOfSource,
  sourceIdOf,
  WEBHOOK_ADMIN,
  type WebhookAdmin,
  type WebhookRequest,
  type WebhookSystem,
} from './webhook-system.js';

const done = (schema: string | Schema, status = 200) => ({
  status,
  description: 'Done.',
  schema: typeof schema === 'string' ? schemaRef(schema) : schema,
});

/** The controller of the endpoints that receive the events of a system. */
export function endpointsController(system: WebhookSystem): Type {
  const ALL = pathOfSource(system, 'webhook-endpoints');
  const ONE = `${ALL}/:id`;
  const describe = describing(system, 'Webhooks');
  const { envelope } = system;
  const deleted = envelope
    ? done(NULL)
    : { status: 204, description: 'It receives nothing any more.' };
  const sourceOf = (request: WebhookRequest) => sourceIdOf(system, request);
  const targetOf = (request: WebhookRequest) =>
    [sourceOf(request), request.params.id ?? ''] as const;

  @Controller([...system.paths])
  @UseGuards(RequiredBodyGuard)
  @UseInterceptors(new WebhookAnswers(envelope))
  class WebhookEndpointsController {
    constructor(
      @Inject(WEBHOOK_ADMIN) private readonly admin: WebhookAdmin,
      private readonly calls: AdminCalls,
    ) {}

    @Post(ALL)
    @Describe(
      describe(ALL, {
        id: 'createWebhookEndpoint',
        summary: 'Add an endpoint that receives events',
        description: 'There may be ten.',
        body: 'WebhookEndpointInput',
        answer: {
          ...done('WebhookEndpointSecret', 201),
          headers: { Location: 'Where the endpoint is.' },
        },
        errors: [400, 404, 409],
      }),
    )
    async create(
      @Req() request: WebhookRequest,
      @Res({ passthrough: true }) reply: FastifyReply,
    ): Promise<object> {
      const call = this.calls.of(request);
      const created = await this.admin.endpoints.create(sourceOf(request), request.body, call);
      void reply.header('Location', `${request.url.split('?', 1)[0]}/${created.id}`);
      return created;
    }

    @Get(ALL)
    @Describe(
      describe(ALL, {
        id: 'listWebhookEndpoints',
        summary: 'List all webhook endpoints, at most ten, the oldest first',
        answer: done('WebhookEndpointList'),
        errors: [404],
      }),
    )
    async list(@Req() request: WebhookRequest): Promise<object> {
      return { webhook_endpoints: await this.admin.endpoints.list(sourceOf(request)) };
    }

    @Get(ONE)
    @Describe(
      describe(ONE, {
        id: 'getWebhookEndpoint',
        summary: 'Get a webhook endpoint, with its health',
        answer: done('WebhookEndpoint'),
        errors: [404],
      }),
    )
    get(@Req() request: WebhookRequest): Promise<object> {
      return this.admin.endpoints.get(...targetOf(request));
    }

    @Patch(ONE)
    @Describe(
      describe(ONE, {
        id: 'updateWebhookEndpoint',
        summary: 'Change the members that are sent; null resets one',
        body: 'WebhookEndpointChanges',
        answer: done('WebhookEndpoint'),
        errors: [400, 404],
      }),
    )
    update(@Req() request: WebhookRequest): Promise<object> {
      const call = this.calls.of(request);
      return this.admin.endpoints.update(...targetOf(request), request.body, call);
    }

    @Delete(ONE)
    @HttpCode(deleted.status)
    @Describe(
      describe(ONE, {
        id: 'deleteWebhookEndpoint',
        summary: 'Delete a webhook endpoint',
        answer: deleted,
        errors: [400, 404],
      }),
    )
    async delete(@Req() request: WebhookRequest): Promise<void> {
      await this.admin.endpoints.delete(...targetOf(request), this.calls.of(request));
    }

    @Post(`${ONE}/rotate-secret`)
    @HttpCode(200)
    @Describe(
      describe(ONE, {
        id: 'rotateWebhookSecret',
        summary: 'Replace the secret of a webhook endpoint',
        body: 'WebhookSecretRotation',
        isBodyOptional: true,
        answer: done('WebhookEndpointSecret'),
        errors: [400, 404],
      }),
    )
    rotateSecret(@Req() request: WebhookRequest): Promise<object> {
      const call = this.calls.of(request);
      return this.admin.endpoints.rotateSecret(...targetOf(request), request.body, call);
    }

    @Post(`${ONE}/pause`)
    @HttpCode(200)
    @Describe(
      describe(ONE, {
        id: 'pauseWebhookEndpoint',
        summary: 'Pause a webhook endpoint; events wait',
        answer: done('WebhookEndpoint'),
        errors: [404],
      }),
    )
    pause(@Req() request: WebhookRequest): Promise<object> {
      return this.admin.endpoints.pause(...targetOf(request), this.calls.of(request));
    }

    @Post(`${ONE}/resume`)
    @HttpCode(200)
    @Describe(
      describe(ONE, {
        id: 'resumeWebhookEndpoint',
        summary: 'Continue with the event after the last one delivered',
        answer: done('WebhookEndpoint'),
        errors: [404],
      }),
    )
    resume(@Req() request: WebhookRequest): Promise<object> {
      return this.admin.endpoints.resume(...targetOf(request), this.calls.of(request));
    }

    @Post(`${ONE}/test`)
    @HttpCode(200)
    @Describe(
      describe(ONE, {
        id: 'testWebhookEndpoint',
        summary: 'Send a signed webhook.ping now; its success ends a failure or a pause',
        answer: done('WebhookTest'),
        errors: [404],
      }),
    )
    test(@Req() request: WebhookRequest): Promise<object> {
      return this.admin.endpoints.test(...targetOf(request), this.calls.of(request));
    }

    @Get(`${ONE}/status`)
    @Describe(
      describe(ONE, {
        id: 'getWebhookEndpointStatus',
        summary: 'Count the events that wait for an endpoint',
        answer: done('WebhookEndpointStatus'),
        errors: [404],
      }),
    )
    status(@Req() request: WebhookRequest): Promise<object> {
      return this.admin.endpoints.status(...targetOf(request));
    }

    @Get(`${ONE}/attempts`)
    @Describe(
      describe(ONE, {
        id: 'listDeliveryAttempts',
        summary: 'List the attempts to deliver to an endpoint, the newest first',
        parameters: PAGE_PARAMETERS,
        answer: done('DeliveryAttemptList'),
        errors: [400, 404],
      }),
    )
    attempts(@Req() request: WebhookRequest): Promise<object> {
      return this.admin.endpoints.attempts(...targetOf(request), request.query);
    }

    @Get(`${ONE}/parked-events`)
    @Describe(
      describe(ONE, {
        id: 'listParkedEvents',
        summary: 'List the parked events of an endpoint, newest first',
        parameters: PAGE_PARAMETERS,
        answer: done('ParkedEventList'),
        errors: [400, 404],
      }),
    )
    parked(@Req() request: WebhookRequest): Promise<object> {
      return this.admin.endpoints.parked(...targetOf(request), request.query);
    }
  }
  return WebhookEndpointsController;
}
