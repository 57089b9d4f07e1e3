import { type DirectorySync, type GuardSettings } from '@gatehouse/directory-sync';
import { AdminCalls } from '@gatehouse/nest-kit/admin';
import { Describe } from '@gatehouse/nest-kit/openapi';
import { Body, Get, Inject, Param, Patch, Req } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { jsonObject } from '../management/json-object.pipe.js';
import { ManagementController } from '../management/management.decorators.js';
import { done, type DsyncOperation } from '../openapi/operation.js';
import { DIRECTORY_SYNC } from '../sync.module.js';

/** The guard of a SCIM directory: it holds removals that its identity provider sends. */
@ManagementController(':directoryId/guard')
export class GuardsController {
  private readonly guards: DirectorySync['guards'];

  constructor(
    @Inject(DIRECTORY_SYNC) sync: DirectorySync,
    private readonly calls: AdminCalls,
  ) {
    this.guards = sync.guards;
  }

  @Get()
  @Describe<DsyncOperation>({
    id: 'getGuard',
    summary: 'Get the guard of a SCIM directory',
    tag: 'Directories',
    answer: done('Guard'),
    errors: [400, 404],
  })
  get(@Param('directoryId') directoryId: string) {
    return this.guards.get(directoryId);
  }

  @Patch()
  @Describe<DsyncOperation>({
    id: 'changeGuard',
    summary: 'Change what holds removals of a SCIM directory',
    tag: 'Directories',
    body: 'GuardChanges',
    answer: done('Guard'),
    errors: [400, 404],
  })
  change(
    @Req() request: FastifyRequest,
    @Param('directoryId') directoryId: string,
    @Body(jsonObject) body: Partial<GuardSettings>,
  ) {
    return this.guards.change(directoryId, body, this.calls.of(request));
  }
}
