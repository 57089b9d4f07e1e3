import { Module } from '@nestjs/common';
import { CacheModule } from '../store/cache/cache.module.js';
import { CredentialsModule } from './credentials/credentials.module.js';
import { CreditsModule } from '../store/credits/credits.module.js';
import { RateLimiter } from './limits/rate-limiter.js';
import { RecordsModule } from '../store/keys/records.module.js';
import { CreditNotices } from './usage/credit-notices.js';
import { KeyUsage } from './usage/key-usage.js';
import { LastUsed } from './usage/last-used.js';
import { RateLimitNotices } from './usage/rate-limit-notices.js';
import { UsageModule } from './usage/usage.module.js';
import { FailureSampler } from './failure-sampler.js';
import { KeysVerifyController } from './keys-verify.controller.js';
import { VerificationMetrics } from './verification-metrics.js';
import { VerificationService } from './verification.service.js';

@Module({
  imports: [CacheModule, CreditsModule, CredentialsModule, RecordsModule, UsageModule],
  controllers: [KeysVerifyController],
  providers: [
    CreditNotices,
    FailureSampler,
    KeyUsage,
    LastUsed,
    RateLimiter,
    RateLimitNotices,
    VerificationMetrics,
    VerificationService,
  ],
  exports: [FailureSampler, VerificationService],
})
export class VerificationModule {}
