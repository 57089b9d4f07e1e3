import {
  type DirectorySync,
  type NewSetupLinkInput,
  type SetupLinkRevocation,
} from '@gatehouse/directory-sync';
import { AdminCalls } from '@gatehouse/nest-kit/admin';
import {
  arrayOf,
  Describe,
  flag,
  optionalParameters,
  parameter,
  schemaRef,
} from '@gatehouse/nest-kit/openapi';
import { Body, Delete, Get, HttpCode, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { answer, answerPage } from '../management/answer.js';
import { jsonObject } from '../management/json-object.pipe.js';
import { ManagementController } from '../management/management.decorators.js';
import { done, type DsyncOperation, PAGE_QUERY } from '../openapi/operation.js';
import { DIRECTORY_SYNC } from '../sync.module.js';

interface ListQuery {
  directory_id?: string;
  pageOffset?: number;
  pageLimit?: number;
}

const REVOKE_QUERY = optionalParameters('query', {
  delete_token: flag('Whether to delete the SCIM token of the link as well.', { default: false }),
});

@ManagementController('setup-links')
export class SetupLinksController {
  constructor(
    @Inject(DIRECTORY_SYNC) private readonly sync: DirectorySync,
    private readonly calls: AdminCalls,
  ) {}

  @Post()
  @Describe<DsyncOperation>({
    id: 'createSetupLink',
    summary: 'Create a setup link for the administrator of an identity provider',
    tag: 'Setup links',
    body: 'NewSetupLink',
    answer: done('CreatedSetupLink', 201),
    errors: [400, 404, 409],
  })
  async create(
    @Req() request: FastifyRequest,
    @Body(jsonObject) body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const call = this.calls.of(request);
    return answer(reply, await this.sync.setupLinks.create(body as NewSetupLinkInput, call), 201);
  }

  @Get()
  @Describe<DsyncOperation>({
    id: 'listSetupLinks',
    summary: 'List setup links, or those of a directory',
    tag: 'Setup links',
    parameters: [...PAGE_QUERY, parameter('query', 'directory_id', { format: 'uuid' })],
    answer: done(arrayOf(schemaRef('SetupLink'))),
    errors: [400],
  })
  async list(@Query() query: ListQuery, @Res({ passthrough: true }) reply: FastifyReply) {
    return answerPage(reply, await this.sync.setupLinks.getPage(query));
  }

  @Get(':id')
  @Describe<DsyncOperation>({
    id: 'getSetupLink',
    summary: 'Get a setup link',
    tag: 'Setup links',
    answer: done('SetupLink'),
    errors: [404],
  })
  async get(@Param('id') id: string, @Res({ passthrough: true }) reply: FastifyReply) {
    return answer(reply, await this.sync.setupLinks.get(id));
  }

  @Delete(':id')
  @Describe<DsyncOperation>({
    id: 'revokeSetupLink',
    summary: 'Revoke a setup link, and end its session',
    tag: 'Setup links',
    parameters: REVOKE_QUERY,
    answer: done('SetupLink'),
    errors: [400, 404],
  })
  async revoke(
    @Req() request: FastifyRequest,
    @Param('id') id: string,
    @Query() query: SetupLinkRevocation,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answer(reply, await this.sync.setupLinks.revoke(id, query, this.calls.of(request)));
  }

  @Post(':id/end-session')
  @HttpCode(200)
  @Describe<DsyncOperation>({
    id: 'endSetupSession',
    summary: 'End the session of a setup link',
    tag: 'Setup links',
    answer: done('SetupLink'),
    errors: [404],
  })
  async endSession(
    @Req() request: FastifyRequest,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answer(reply, await this.sync.setupLinks.endSession(id, this.calls.of(request)));
  }
}
