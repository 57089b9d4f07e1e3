import { type AuditFilter, type DirectorySync } from '@gatehouse/directory-sync';
import { Describe, optionalParameters } from '@gatehouse/nest-kit/openapi';
import { Get, Inject, Query } from '@nestjs/common';
import { ManagementController } from '../management/management.decorators.js';
import { type DsyncOperation, PAGE_QUERY, listOf } from '../openapi/operation.js';
import { DIRECTORY_SYNC } from '../sync.module.js';

/** The audit trail of administrators. */
@ManagementController()
export class AuditController {
  constructor(@Inject(DIRECTORY_SYNC) private readonly sync: DirectorySync) {}

  @Get('audit-events')
  @Describe<DsyncOperation>({
    id: 'listAuditEvents',
    summary: 'List changes by administrators and refused calls, newest first',
    tag: 'Audit',
    parameters: [
      ...PAGE_QUERY,
      ...optionalParameters('query', { type: {}, caller: {}, targetId: {} }),
    ],
    answer: listOf('AuditEvent'),
    errors: [400],
  })
  list(@Query() query: AuditFilter & { pageOffset?: number; pageLimit?: number }) {
    return this.sync.auditEvents.getPage(query);
  }
}
