import { Module } from '@nestjs/common';
import { AuditLog } from './audit-log.js';
import { AuditRetention } from './audit-retention.js';
import { AuditRepository } from './audit.repository.js';

@Module({
  providers: [AuditLog, AuditRepository, AuditRetention],
  exports: [AuditLog, AuditRepository],
})
export class AuditModule {}
