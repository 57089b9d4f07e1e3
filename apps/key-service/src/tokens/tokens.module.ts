import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { CredentialsModule } from '../credentials/credentials.module.js';
import { VerificationModule } from '../verification/verification.module.js';
import { DeriveService } from './derive.service.js';

@Module({
  imports: [AuditModule, CredentialsModule, VerificationModule],
  providers: [DeriveService],
  exports: [DeriveService],
})
export class TokensModule {}
