import { type DirectorySync, type EventReplay } from '@gatehouse/directory-sync';
import { InputReader } from '@gatehouse/kit/input';
import { AdminCalls } from '@gatehouse/nest-kit/admin';
import { arrayOf, Describe, optionalParameters, schemaRef } from '@gatehouse/nest-kit/openapi';
import { Body, Get, HttpCode, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { answer } from '../management/answer.js';
import { jsonObject } from '../management/json-object.pipe.js';
import { ManagementController } from '../management/management.decorators.js';
import { done, type DsyncOperation } from '../openapi/operation.js';
import { DIRECTORY_SYNC } from '../sync.module.js';

interface EventQuery {
  directoryId?: string;
  tenant?: string;
  product?: string;
  after?: string;
  limit?: number;
}

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
    summary: 'List the events of a directory, or of all, the oldest first',
    tag: 'Events',
    parameters: optionalParameters('query', {
      directoryId: { description: 'Without it, the events of all directories.' },
      tenant: { description: 'Only directories of this tenant.' },
      product: { description: 'Only directories of this product.' },
      limit: { type: 'number', description: 'At most 1000. A page of large events is shorter.' },
      after: { description: 'Id of the last event that was read.' },
    }),
    answer: done(arrayOf(schemaRef('Event'))),
    errors: [400, 404],
  })
  async list(@Query() query: EventQuery, @Res({ passthrough: true }) reply: FastifyReply) {
    return answer(reply, await this.sync.events.getAll(query));
  }

  @Get('events/latest')
  @Describe<DsyncOperation>({
    id: 'getLatestEvent',
    summary: 'The id of the newest event: a cursor for a reader that starts now',
    tag: 'Events',
    answer: done('EventCursor'),
    errors: [],
  })
  async latest(@Res({ passthrough: true }) reply: FastifyReply) {
    return answer(reply, await this.sync.events.latest());
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
    body: 'EventResend',
    isBodyOptional: true,
    answer: done('Event'),
    errors: [400, 404],
  })
  async resend(
    @Req() request: FastifyRequest,
    @Param('id') id: string,
    @Body(jsonObject) body: object,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const input = InputReader.of(body, { unknown: 'refuse' });
    const endpointId = input.text('endpoint_id') || undefined;
    input.throwIfInvalid();
    return answer(reply, await this.sync.events.resend(id, this.calls.of(request), endpointId));
  }

  @Post('events/replay')
  @HttpCode(200)
  @Describe<DsyncOperation>({
    id: 'replayAllEvents',
    summary: 'Send a part of the log of all directories again',
    tag: 'Events',
    body: 'EventReplay',
    answer: done('StartedReplays'),
    errors: [400, 404, 413, 415],
  })
  async replayAll(
    @Req() request: FastifyRequest,
    @Body(jsonObject) range: EventReplay,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answer(reply, await this.sync.events.replay(null, range, this.calls.of(request)));
  }

  @Post(':directoryId/events/replay')
  @HttpCode(200)
  @Describe<DsyncOperation>({
    id: 'replayEvents',
    summary: 'Send a part of the log of a directory again, in order, beside new events',
    tag: 'Events',
    body: 'EventReplay',
    answer: done('StartedReplays'),
    errors: [400, 404, 413, 415],
  })
  async replay(
    @Req() request: FastifyRequest,
    @Param('directoryId') directoryId: string,
    @Body(jsonObject) range: EventReplay,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const call = this.calls.of(request);
    return answer(reply, await this.sync.events.replay(directoryId, range, call));
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
