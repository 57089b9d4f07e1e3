import { Module } from '@nestjs/common';
import { AuditLog } from '../../events/audit/audit-log.js';
import { CredentialsModule } from '../../verification/credentials/credentials.module.js';
import { VerificationModule } from '../../verification/verification.module.js';
import { DeriveService } from './derive.service.js';

@Module({
  imports: [CredentialsModule, VerificationModule],
  providers: [AuditLog, DeriveService],
  exports: [DeriveService],
})
export class TokensModule {}
