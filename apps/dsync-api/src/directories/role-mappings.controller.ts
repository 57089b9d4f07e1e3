import { type DirectorySync, type RoleMapping } from '@gatehouse/directory-sync';
import { AdminCalls } from '@gatehouse/nest-kit/admin';
import { Describe, NULL } from '@gatehouse/nest-kit/openapi';
import { Body, Delete, Get, HttpCode, Inject, Param, Post, Put, Req } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { jsonObject } from '../management/json-object.pipe.js';
import { ManagementController } from '../management/management.decorators.js';
import { done, type DsyncOperation } from '../openapi/operation.js';
import { DIRECTORY_SYNC } from '../sync.module.js';

/** The role mapping of a directory: the roles that its groups give to users. */
@ManagementController()
export class RoleMappingsController {
  private readonly mappings: DirectorySync['roleMappings'];

  constructor(
    @Inject(DIRECTORY_SYNC) sync: DirectorySync,
    private readonly calls: AdminCalls,
  ) {
    this.mappings = sync.roleMappings;
  }

  @Get(':directoryId/role-mappings')
  @Describe<DsyncOperation>({
    id: 'getRoleMapping',
    summary: 'Which roles groups give to users',
    tag: 'Users and groups',
    answer: done('RoleMapping'),
    errors: [404],
  })
  get(@Param('directoryId') directoryId: string) {
    return this.mappings.get(directoryId);
  }

  @Put(':directoryId/role-mappings')
  @Describe<DsyncOperation>({
    id: 'setRoleMapping',
    summary: 'Set which roles groups give to users',
    tag: 'Users and groups',
    body: 'RoleMappingInput',
    answer: done('RoleMapping'),
    errors: [400, 404],
  })
  put(
    @Req() request: FastifyRequest,
    @Param('directoryId') directoryId: string,
    @Body(jsonObject) body: RoleMapping,
  ) {
    return this.mappings.put(directoryId, body, this.calls.of(request));
  }

  @Post(':directoryId/role-mappings::preview')
  @HttpCode(200)
  @Describe<DsyncOperation>({
    id: 'previewRoleMapping',
    summary: 'Show what a role mapping would change',
    tag: 'Users and groups',
    body: 'RoleMappingInput',
    answer: done('RolePreview'),
    errors: [400, 404],
  })
  preview(@Param('directoryId') directoryId: string, @Body(jsonObject) body: RoleMapping) {
    return this.mappings.preview(directoryId, body);
  }

  @Delete(':directoryId/role-mappings')
  @Describe<DsyncOperation>({
    id: 'deleteRoleMapping',
    summary: 'Take away the roles of all users',
    tag: 'Users and groups',
    answer: done(NULL),
    errors: [404],
  })
  delete(@Req() request: FastifyRequest, @Param('directoryId') directoryId: string) {
    return this.mappings.delete(directoryId, this.calls.of(request));
  }
}
