import { asResults, type Results } from '@gatehouse/directory-sync';
import {
  type NewSetupLinkInput,
  SETUP,
  type Setup,
  type SetupLinkRevocation,
} from '@gatehouse/setup';
import { AdminCalls } from '@gatehouse/nest-kit/admin';
import { LOGGER } from '@gatehouse/nest-kit/logging';
import { Describe, flag, optionalParameters, parameter } from '@gatehouse/nest-kit/openapi';
import { Body, Delete, Get, HttpCode, Inject, Param, Post, Query, Req } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { type Logger } from 'pino';
import { jsonObject } from '../management/json-object.pipe.js';
import { ManagementController } from '../management/management.decorators.js';
import { done, type DsyncOperation, PAGE_QUERY, listOf } from '../openapi/operation.js';

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
  private readonly links: Results<Setup['links']>;

  constructor(
    @Inject(SETUP) setup: Setup,
    @Inject(LOGGER) logger: Logger,
    private readonly calls: AdminCalls,
  ) {
    this.links = asResults(setup.links, logger);
  }

  @Post()
  @Describe<DsyncOperation>({
    id: 'createSetupLink',
    summary: 'Create a setup link for the administrator of an identity provider',
    tag: 'Setup links',
    body: 'SetupLinkInput',
    answer: done('CreatedSetupLink', 201),
    errors: [400, 404, 409],
  })
  create(@Req() request: FastifyRequest, @Body(jsonObject) body: unknown) {
    const call = this.calls.of(request);
    return this.links.create(body as NewSetupLinkInput, call);
  }

  @Get()
  @Describe<DsyncOperation>({
    id: 'listSetupLinks',
    summary: 'List setup links, or those of a directory',
    tag: 'Setup links',
    parameters: [...PAGE_QUERY, parameter('query', 'directory_id', { format: 'uuid' })],
    answer: listOf('SetupLink'),
    errors: [400, 404],
  })
  list(@Query() query: ListQuery) {
    return this.links.getPage(query);
  }

  @Get(':id')
  @Describe<DsyncOperation>({
    id: 'getSetupLink',
    summary: 'Get a setup link',
    tag: 'Setup links',
    answer: done('SetupLink'),
    errors: [404],
  })
  get(@Param('id') id: string) {
    return this.links.get(id);
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
  revoke(
    @Req() request: FastifyRequest,
    @Param('id') id: string,
    @Query() query: SetupLinkRevocation,
  ) {
    return this.links.revoke(id, query, this.calls.of(request));
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
  endSession(@Req() request: FastifyRequest, @Param('id') id: string) {
    return this.links.endSession(id, this.calls.of(request));
  }
}
