import { type DirectorySync } from '@gatehouse/directory-sync';
import { Get, HttpCode, Inject, Param, Post, Query, Res } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import { type FastifyReply } from 'fastify';
import { answer } from '../management/answer.js';
import { ManagementController } from '../management/management.decorators.js';
import { Answers } from '../openapi/answers.js';
import * as schemas from '../openapi/record.schemas.js';
import { DIRECTORY_SYNC } from '../sync.module.js';

/** The event log, and operations on deliveries. */
@ManagementController('Events')
export class EventsController {
  constructor(@Inject(DIRECTORY_SYNC) private readonly sync: DirectorySync) {}

  @Get('events')
  @ApiQuery({ name: 'directoryId' })
  @ApiQuery({ name: 'after', required: false, description: 'Id of the last event that was read.' })
  @ApiQuery({ name: 'limit', required: false, type: Number, description: 'At most 1000.' })
  @Answers({ data: [schemas.Event], faults: [400, 404] })
  async list(
    @Query() query: { directoryId: string; after?: string; limit?: number },
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answer(reply, await this.sync.events.getAll(query));
  }

  @Get('events/:id')
  @Answers({ data: schemas.Event, faults: [404] })
  async get(@Param('id') id: string, @Res({ passthrough: true }) reply: FastifyReply) {
    return answer(reply, await this.sync.events.get(id));
  }

  @Post('events/:id/resend')
  @HttpCode(200)
  @Answers({ data: schemas.Event, faults: [400, 404] })
  async resend(@Param('id') id: string, @Res({ passthrough: true }) reply: FastifyReply) {
    return answer(reply, await this.sync.events.resend(id));
  }

  @Post('cron/process-events')
  @HttpCode(200)
  @ApiQuery({
    name: 'wait',
    required: false,
    type: Number,
    description: 'Seconds to wait for the deliveries, at most 60.',
  })
  @Answers({ data: schemas.Batch, faults: [400] })
  async processEvents(
    @Query() query: { wait?: number },
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answer(reply, await this.sync.events.processBatch({ wait: query.wait }));
  }
}
