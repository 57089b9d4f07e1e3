import { Module } from '@nestjs/common';
import { CacheModule } from '../cache/cache.module.js';
import { CredentialsModule } from '../credentials/credentials.module.js';
import { RecordsModule } from '../records/records.module.js';
import { LastUsed } from '../usage/last-used.js';
import { FailureSampler } from './failure-sampler.js';
import { KeysVerifyController } from './keys-verify.controller.js';
import { RateLimiter } from './rate-limiter.js';
import { VerificationMetrics } from './verification-metrics.js';
import { VerificationService } from './verification.service.js';

@Module({
  imports: [CacheModule, CredentialsModule, RecordsModule],
  controllers: [KeysVerifyController],
  providers: [FailureSampler, LastUsed, RateLimiter, VerificationMetrics, VerificationService],
  exports: [FailureSampler, VerificationService],
})
export class VerificationModule {}
