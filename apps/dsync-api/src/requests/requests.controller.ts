import { type DirectorySync, type RequestFilter } from '@gatehouse/directory-sync';
import { AdminCalls } from '@gatehouse/nest-kit/admin';
import { Describe, optionalParameters, integer, NULL } from '@gatehouse/nest-kit/openapi';
import { Body, Delete, Get, HttpCode, Inject, Param, Post, Query, Req } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { jsonObject } from '../management/json-object.pipe.js';
import { ManagementController } from '../management/management.decorators.js';
import { done, type DsyncOperation, listOf } from '../openapi/operation.js';
import { DIRECTORY_SYNC } from '../sync.module.js';

/** The request log of a directory: what its identity provider has sent. */
@ManagementController(':directoryId/requests')
export class RequestsController {
  private readonly history: DirectorySync['requestHistory'];

  constructor(
    @Inject(DIRECTORY_SYNC) sync: DirectorySync,
    private readonly calls: AdminCalls,
  ) {
    this.history = sync.requestHistory;
  }

  @Get()
  @Describe<DsyncOperation>({
    id: 'listRequests',
    summary: 'List the SCIM requests of a directory, the newest first',
    description: 'Without a valid secret, at most ten a minute are logged. Takes up to a second.',
    tag: 'Directories',
    parameters: optionalParameters('query', {
      status: { description: 'A status such as 409, or a class such as 4xx.' },
      method: {},
      resource_id: { description: 'The user or group that was named or created.' },
      after: { description: 'Id of the last request that was read.' },
      limit: integer('Default 50, at most 1000.', { minimum: 1 }),
    }),
    answer: listOf('ScimRequest'),
    errors: [400, 404],
  })
  list(@Param('directoryId') directoryId: string, @Query() query: RequestFilter) {
    return this.history.list(directoryId, query);
  }

  @Post('capture')
  @HttpCode(200)
  @Describe<DsyncOperation>({
    id: 'startCapture',
    summary: 'Keep the redacted bodies of SCIM requests for some hours',
    tag: 'Directories',
    body: 'CaptureStart',
    answer: done('Capture'),
    errors: [400, 404],
  })
  startCapture(
    @Req() request: FastifyRequest,
    @Param('directoryId') directoryId: string,
    @Body(jsonObject) body: { duration?: string },
  ) {
    return this.history.capture(directoryId, body, this.calls.of(request));
  }

  @Delete('capture')
  @Describe<DsyncOperation>({
    id: 'stopCapture',
    summary: 'Keep no more bodies of SCIM requests',
    tag: 'Directories',
    answer: done(NULL),
    errors: [400, 404],
  })
  stopCapture(@Req() request: FastifyRequest, @Param('directoryId') directoryId: string) {
    return this.history.stopCapture(directoryId, this.calls.of(request));
  }

  @Get(':id')
  @Describe<DsyncOperation>({
    id: 'getRequest',
    summary: 'Get a SCIM request, with its bodies if they were captured',
    tag: 'Directories',
    answer: done('ScimRequestDetails'),
    errors: [400, 404],
  })
  get(@Param('directoryId') directoryId: string, @Param('id') id: string) {
    return this.history.get(directoryId, id);
  }
}
