import { type DirectorySync } from '@gatehouse/directory-sync';
import {
  AdminCalls,
  arrayOf,
  Describe,
  optionalParameters,
  parameter,
  schemaRef,
} from '@gatehouse/service-kit';
import { Get, HttpCode, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { answer } from '../management/answer.js';
import { ManagementController } from '../management/management.decorators.js';
import { done, type DsyncOperation } from '../openapi/operation.js';
import { DIRECTORY_SYNC } from '../sync.module.js';

/** The event log, and operations on deliveries. */
@ManagementController()
export class EventsController {
  constructor(
    @Inject(DIRECTORY_SYNC) private readonly sync: DirectorySync,
    private readonly calls: AdminCalls,
  ) {}

  @Get('events')
  @Describe<DsyncOperation>({
    id: 'listEvents',
    summary: 'List the events of a directory, the oldest first',
    tag: 'Events',
    parameters: [
      ...optionalParameters('query', {
        limit: { type: 'number', description: 'At most 1000.' },
        after: { description: 'Id of the last event that was read.' },
      }),
      parameter('query', 'directoryId', {}, { required: true }),
    ],
    answer: done(arrayOf(schemaRef('Event'))),
    errors: [400, 404],
  })
  async list(
    @Query() query: { directoryId: string; after?: string; limit?: number },
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answer(reply, await this.sync.events.getAll(query));
  }

  @Get('events/:id')
  @Describe<DsyncOperation>({
    id: 'getEvent',
    summary: 'Get an event with its delivery attempts',
    tag: 'Events',
    answer: done('Event'),
    errors: [404],
  })
  async get(@Param('id') id: string, @Res({ passthrough: true }) reply: FastifyReply) {
    return answer(reply, await this.sync.events.get(id));
  }

  @Post('events/:id/resend')
  @HttpCode(200)
  @Describe<DsyncOperation>({
    id: 'resendEvent',
    summary: 'Deliver an event again',
    tag: 'Events',
    answer: done('Event'),
    errors: [400, 404],
  })
  async resend(
    @Req() request: FastifyRequest,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answer(reply, await this.sync.events.resend(id, this.calls.of(request)));
  }

  @Post('cron/process-events')
  @HttpCode(200)
  @Describe<DsyncOperation>({
    id: 'processEvents',
    summary: 'Deliver what waits, at once',
    tag: 'Events',
    parameters: optionalParameters('query', {
      wait: { type: 'number', description: 'Seconds to wait for the deliveries, at most 60.' },
    }),
    answer: done('Batch'),
    errors: [400],
  })
  async processEvents(
    @Req() request: FastifyRequest,
    @Query() query: { wait?: number },
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const options = { wait: query.wait };
    return answer(reply, await this.sync.events.processBatch(options, this.calls.of(request)));
  }
}
