import { type DirectorySync, type WorkspaceSettings } from '@gatehouse/directory-sync';
import { AdminCalls } from '@gatehouse/nest-kit/admin';
import { Describe, type Schema } from '@gatehouse/nest-kit/openapi';
import { Body, Get, HttpCode, Inject, Param, Patch, Post, Query, Req } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { jsonObject } from '../management/json-object.pipe.js';
import { ManagementController } from '../management/management.decorators.js';
import { done, type DsyncOperation, listOf, PAGE_QUERY } from '../openapi/operation.js';
import { DIRECTORY_SYNC } from '../sync.module.js';

const RUN = ':directoryId/runs/:runId';

interface PageQuery {
  pageOffset?: number;
  pageLimit?: number;
}

function operation(
  id: string,
  summary: string,
  data: string | Schema,
  more: Partial<DsyncOperation> & { status?: number } = {},
): DsyncOperation {
  const { status = 200, ...rest } = more;
  return {
    id,
    summary,
    tag: 'Workspaces',
    answer: done(data, status),
    errors: [400, 404],
    ...rest,
  };
}

/** Runs of workspace directories, and what they take over. */
@ManagementController()
export class RunsController {
  private readonly runs: DirectorySync['workspaceRuns'];

  constructor(
    @Inject(DIRECTORY_SYNC) sync: DirectorySync,
    private readonly calls: AdminCalls,
  ) {
    this.runs = sync.workspaceRuns;
  }

  @Post('cron/sync-workspace')
  @HttpCode(200)
  @Describe<DsyncOperation>(
    operation(
      'syncWorkspaces',
      'Start a run of every workspace directory without an unfinished one',
      'StartedRuns',
      { errors: [400] },
    ),
  )
  startAll(@Req() request: FastifyRequest) {
    return this.runs.startAll(this.calls.of(request));
  }

  @Post(':directoryId/sync')
  @HttpCode(202)
  @Describe<DsyncOperation>(
    operation('syncWorkspace', 'Start a run, or get the one under way', 'Run', {
      status: 202,
      errors: [400, 404, 409],
    }),
  )
  start(@Req() request: FastifyRequest, @Param('directoryId') directoryId: string) {
    return this.runs.start(directoryId, this.calls.of(request));
  }

  @Get(':directoryId/runs')
  @Describe<DsyncOperation>(
    operation('listRuns', 'List the last runs, newest first', 'Run', {
      parameters: PAGE_QUERY,
      answer: listOf('Run'),
    }),
  )
  list(@Param('directoryId') directoryId: string, @Query() page: PageQuery) {
    return this.runs.list(directoryId, page);
  }

  @Get(RUN)
  @Describe<DsyncOperation>(
    operation('getRun', 'Get a run, and of a held one what it would do', 'RunDetails'),
  )
  get(@Param('directoryId') directoryId: string, @Param('runId') runId: string) {
    return this.runs.get(directoryId, runId);
  }

  @Post(`${RUN}/approve`)
  @HttpCode(200)
  @Describe<DsyncOperation>(
    operation('approveRun', 'Let a held run go on', 'Run', { errors: [400, 404, 409] }),
  )
  approve(
    @Req() request: FastifyRequest,
    @Param('directoryId') directoryId: string,
    @Param('runId') runId: string,
  ) {
    return this.runs.approve(directoryId, runId, this.calls.of(request));
  }

  @Post(`${RUN}/discard`)
  @HttpCode(200)
  @Describe<DsyncOperation>(
    operation('discardRun', 'End a held run without changes', 'Run', { errors: [400, 404, 409] }),
  )
  discard(
    @Req() request: FastifyRequest,
    @Param('directoryId') directoryId: string,
    @Param('runId') runId: string,
  ) {
    return this.runs.discard(directoryId, runId, this.calls.of(request));
  }

  @Get(':directoryId/workspace/settings')
  @Describe<DsyncOperation>(
    operation('getWorkspaceSettings', 'What a workspace directory takes over', 'WorkspaceSettings'),
  )
  settings(@Param('directoryId') directoryId: string) {
    return this.runs.settings(directoryId);
  }

  @Patch(':directoryId/workspace/settings')
  @Describe<DsyncOperation>(
    operation(
      'changeWorkspaceSettings',
      'Change what a workspace directory takes over, and what holds a run',
      'WorkspaceSettings',
      { body: 'WorkspaceSettingsChanges' },
    ),
  )
  changeSettings(
    @Req() request: FastifyRequest,
    @Param('directoryId') directoryId: string,
    @Body(jsonObject) body: Partial<WorkspaceSettings>,
  ) {
    const call = this.calls.of(request);
    return this.runs.changeSettings(directoryId, body, call);
  }
}
