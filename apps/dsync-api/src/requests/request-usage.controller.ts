import { type DirectorySync, type RequestUsageQuery } from '@gatehouse/directory-sync';
import {
  arrayOf,
  Describe,
  optionalParameters,
  schemaRef,
  text,
} from '@gatehouse/nest-kit/openapi';
import { Get, Inject, Query } from '@nestjs/common';
import { ManagementController } from '../management/management.decorators.js';
import { done, type DsyncOperation } from '../openapi/operation.js';
import { DIRECTORY_SYNC } from '../sync.module.js';

/** Counts of SCIM requests. */
@ManagementController('scim-usage')
export class RequestUsageController {
  constructor(@Inject(DIRECTORY_SYNC) private readonly sync: DirectorySync) {}

  @Get()
  @Describe<DsyncOperation>({
    id: 'listScimUsage',
    summary: 'Count the SCIM requests of all directories, or of one, by hour and status',
    description:
      'Counts are kept for 48 hours. They contain requests without a valid secret, and appear within a second. ' +
      'Hours without requests are left out.',
    tag: 'Directories',
    parameters: optionalParameters('query', {
      directoryId: text('All directories by default.', { format: 'uuid' }),
      from: text('RFC 3339, rounded down to the hour; by default a day before `to`.'),
      to: text('RFC 3339, rounded up to the hour; now by default.'),
    }),
    answer: done(arrayOf(schemaRef('ScimUsage'))),
    errors: [400, 404],
  })
  list(@Query() query: RequestUsageQuery) {
    return this.sync.requestHistory.usage(query);
  }
}
