import { AdminCalls } from '@gatehouse/nest-kit/admin';
import { Describe, optionalParameters, schemaRef, text } from '@gatehouse/nest-kit/openapi';
import {
  Controller,
  Get,
  HttpCode,
  Inject,
  Post,
  Req,
  type Type,
  UseInterceptors,
} from '@nestjs/common';
import { LOOKED_MAX } from '../log/event-log.sql.js';
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

const done = (schema: string) => ({
  status: 200,
  description: 'Done.',
  schema: schemaRef(schema),
});

const QUERY = [
  ...PAGE_PARAMETERS,
  ...optionalParameters('query', {
    after: text('The id of the last event that was read.'),
    from_time: text('The time at which the list begins (RFC 3339), instead of `after`.'),
    type: text('Only events of this type.'),
  }),
];

/** The controllers of the events of a system. */
export function eventsControllers(system: WebhookSystem): Type[] {
  const describe = describing(system, 'Events');
  const REPLAY = pathOfSource(system, 'events/replay');

  @Controller([...system.paths])
  @UseInterceptors(new WebhookAnswers(system.envelope))
  class EventDeliveriesController {
    constructor(
      @Inject(WEBHOOK_ADMIN) private readonly admin: WebhookAdmin,
      private readonly calls: AdminCalls,
    ) {}

    @Get('events/:id')
    @Describe(
      describe('events/:id', {
        id: 'getEvent',
        summary: 'Get an event with its delivery attempts',
        answer: done('EventRecord'),
        errors: [404],
      }),
    )
    get(@Req() { params }: WebhookRequest): Promise<object> {
      return this.admin.events.get(params.id ?? '');
    }

    @Post('events/:id/resend')
    @HttpCode(200)
    @Describe(
      describe('events/:id', {
        id: 'resendEvent',
        summary: 'Deliver an event again',
        body: 'EventResend',
        isBodyOptional: true,
        answer: done('EventRecord'),
        errors: [400, 404, 409],
      }),
    )
    resend(@Req() request: WebhookRequest): Promise<object> {
      const { params, body } = request;
      return this.admin.events.resend(params.id ?? '', body, this.calls.of(request));
    }

    @Post(REPLAY)
    @HttpCode(200)
    @Describe(
      describe(REPLAY, {
        id: 'replayEvents',
        summary: 'Send a part of the log again, in order, beside new events',
        body: 'EventReplay',
        answer: done('StartedReplays'),
        errors: [400, 404, 409],
      }),
    )
    replay(@Req() request: WebhookRequest): Promise<object> {
      const source = sourceIdOf(system, request);
      return this.admin.events.replay(source, request.body, this.calls.of(request));
    }
  }

  /** The log of the only source. */
  @Controller([...system.paths])
  @UseInterceptors(new WebhookAnswers(system.envelope))
  class EventListController {
    constructor(@Inject(WEBHOOK_ADMIN) private readonly admin: WebhookAdmin) {}

    @Get('events')
    @Describe(
      describe('events', {
        id: 'listEvents',
        summary: 'List the events, the oldest first',
        description:
          'A reader that continues with `after` and the id of the last event that it read misses no event. ' +
          `With a type, a page looks at ${LOOKED_MAX.toLocaleString('en-US')} events at most, so it may have ` +
          'fewer events than `page_size`, or none. Only an empty `next_page_token` means the end.',
        parameters: QUERY,
        answer: done('EventList'),
        errors: [400],
      }),
    )
    list(@Req() request: WebhookRequest): Promise<object> {
      return this.admin.events.list(sourceIdOf(system, request), request.query);
    }
  }

  /** A replay to the endpoints of all sources. */
  @Controller([...system.paths])
  @UseInterceptors(new WebhookAnswers(system.envelope))
  class ReplayAllController {
    constructor(
      @Inject(WEBHOOK_ADMIN) private readonly admin: WebhookAdmin,
      private readonly calls: AdminCalls,
    ) {}

    @Post('events/replay')
    @HttpCode(200)
    @Describe(
      describe('events/replay', {
        id: 'replayAllEvents',
        summary: 'Send a part of the log of all sources again',
        body: 'EventReplay',
        answer: done('StartedReplays'),
        errors: [400, 404],
      }),
    )
    replayAll(@Req() request: WebhookRequest): Promise<object> {
      return this.admin.events.replay(null, request.body, this.calls.of(request));
    }
  }
  return [
    EventDeliveriesController,
    'id' in system.source ? EventListController : ReplayAllController,
  ];
}
