import { type DirectorySync, type EndpointFilter } from '@gatehouse/directory-sync';
import { ENDPOINT_STATES } from '@gatehouse/delivery';
import { AdminCalls } from '@gatehouse/nest-kit/admin';
import { Describe, enumOf, optionalParameters, integer } from '@gatehouse/nest-kit/openapi';
import { Get, HttpCode, Inject, Param, Post, Query, Req } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { ManagementController } from '../management/management.decorators.js';
import { done, type DsyncOperation, PAGE_QUERY, listOf } from '../openapi/operation.js';
import { DIRECTORY_SYNC } from '../sync.module.js';

interface EventQuery {
  directoryId?: string;
  tenant?: string;
  product?: string;
  after?: string;
  fromTime?: string;
  limit?: number;
}

interface PageQuery {
  pageOffset?: number;
  pageLimit?: number;
}

/** The event log of directories, and what was sent of it. */
@ManagementController()
export class EventsController {
  constructor(
    @Inject(DIRECTORY_SYNC) private readonly sync: DirectorySync,
    private readonly calls: AdminCalls,
  ) {}

  @Get('events')
  @Describe<DsyncOperation>({
    id: 'listEvents',
    summary: 'List the events of a directory, or of all, the oldest first',
    tag: 'Events',
    parameters: optionalParameters('query', {
      directoryId: { description: 'Without it, the events of all directories.' },
      tenant: { description: 'Only directories of this tenant.' },
      product: { description: 'Only directories of this product.' },
      limit: integer('At most 1000. A page of large events is shorter.', { minimum: 1 }),
      after: { description: 'Id of the last event that was read.' },
      fromTime: {
        description: 'The time at which the list begins (RFC 3339), instead of `after`.',
      },
    }),
    answer: listOf('EventRecord'),
    errors: [400, 404],
  })
  list(@Query() query: EventQuery) {
    return this.sync.events.getAll(query);
  }

  @Get('events/latest')
  @Describe<DsyncOperation>({
    id: 'getLatestEvent',
    summary: 'The id of the newest event: a cursor for a reader that starts now',
    tag: 'Events',
    answer: done('EventCursor'),
    errors: [],
  })
  latest() {
    return this.sync.events.latest();
  }

  @Post('cron/process-events')
  @HttpCode(200)
  @Describe<DsyncOperation>({
    id: 'processEvents',
    summary: 'Deliver what waits, at once',
    tag: 'Events',
    parameters: optionalParameters('query', {
      wait: integer('Seconds to wait for the deliveries.', { maximum: 60 }),
    }),
    answer: done('Batch'),
    errors: [400],
  })
  processEvents(@Req() request: FastifyRequest, @Query() { wait }: { wait?: number }) {
    return this.sync.events.processBatch({ wait }, this.calls.of(request));
  }

  @Get('webhook-endpoints')
  @Describe<DsyncOperation>({
    id: 'listAllWebhookEndpoints',
    summary: 'List the webhook endpoints of all directories, the newest directory first',
    tag: 'Webhooks',
    parameters: [
      ...PAGE_QUERY,
      ...optionalParameters('query', {
        state: enumOf(ENDPOINT_STATES),
        tenant: { description: 'Only directories of this tenant.' },
        product: { description: 'Only directories of this product.' },
      }),
    ],
    answer: listOf('ListedWebhookEndpoint'),
    errors: [400],
  })
  endpoints(@Query() query: EndpointFilter & PageQuery) {
    return this.sync.webhookEndpoints.getPage(query);
  }

  @Get(':id/webhook/logs')
  @Describe<DsyncOperation>({
    id: 'listWebhookLogs',
    summary: 'List the logged delivery attempts of a directory, the newest first',
    tag: 'Events',
    parameters: PAGE_QUERY,
    answer: listOf('WebhookLog'),
    errors: [400, 404],
  })
  logs(@Param('id') directoryId: string, @Query() page: PageQuery) {
    return this.sync.webhookLogs.getAll({ ...page, directoryId });
  }
}
