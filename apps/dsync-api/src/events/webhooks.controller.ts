import { type DirectorySync } from '@gatehouse/directory-sync';
import { AdminCalls } from '@gatehouse/nest-kit/admin';
import { arrayOf, Describe, schemaRef } from '@gatehouse/nest-kit/openapi';
import { Get, HttpCode, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { answer } from '../management/answer.js';
import { ManagementController } from '../management/management.decorators.js';
import { done, type DsyncOperation, NULL, PAGE_QUERY } from '../openapi/operation.js';
import { DIRECTORY_SYNC } from '../sync.module.js';

interface PageQuery {
  pageOffset?: number;
  pageLimit?: number;
}

/** The webhook of a directory: its health, and what it was sent. */
@ManagementController()
export class WebhooksController {
  constructor(
    @Inject(DIRECTORY_SYNC) private readonly sync: DirectorySync,
    private readonly calls: AdminCalls,
  ) {}

  @Post(':id/webhook/test')
  @HttpCode(200)
  @Describe<DsyncOperation>({
    id: 'testWebhook',
    summary: 'Send a signed webhook.ping to the webhook of a directory',
    tag: 'Events',
    answer: done('WebhookTest'),
    errors: [400, 404],
  })
  async test(
    @Req() request: FastifyRequest,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answer(reply, await this.sync.webhooks.test(id, this.calls.of(request)));
  }

  @Post(':id/webhook/pause')
  @HttpCode(200)
  @Describe<DsyncOperation>({
    id: 'pauseWebhook',
    summary: 'Stop the deliveries of a directory; its events wait',
    tag: 'Events',
    answer: done(NULL),
    errors: [400, 404],
  })
  async pause(
    @Req() request: FastifyRequest,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answer(reply, await this.sync.webhooks.pause(id, this.calls.of(request)));
  }

  @Post(':id/webhook/resume')
  @HttpCode(200)
  @Describe<DsyncOperation>({
    id: 'resumeWebhook',
    summary: 'Continue the deliveries of a directory at once',
    tag: 'Events',
    answer: done(NULL),
    errors: [400, 404],
  })
  async resume(
    @Req() request: FastifyRequest,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answer(reply, await this.sync.webhooks.resume(id, this.calls.of(request)));
  }

  @Get(':id/webhook/logs')
  @Describe<DsyncOperation>({
    id: 'listWebhookLogs',
    summary: 'List the logged delivery attempts of a directory, the newest first',
    tag: 'Events',
    parameters: PAGE_QUERY,
    answer: done(arrayOf(schemaRef('WebhookLog'))),
    errors: [400],
  })
  async logs(
    @Param('id') directoryId: string,
    @Query() page: PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answer(reply, await this.sync.webhookLogs.getAll({ ...page, directoryId }));
  }

  @Get(':id/webhook/parked')
  @Describe<DsyncOperation>({
    id: 'listParkedEvents',
    summary: 'List the events that the webhook refused while it took others',
    tag: 'Events',
    parameters: PAGE_QUERY,
    answer: done(arrayOf(schemaRef('ParkedEvent'))),
    errors: [400, 404],
  })
  async parked(
    @Param('id') directoryId: string,
    @Query() page: PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answer(reply, await this.sync.webhooks.parked({ ...page, directoryId }));
  }
}
