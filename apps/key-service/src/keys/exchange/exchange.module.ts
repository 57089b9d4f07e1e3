import { Module } from '@nestjs/common';
import { CacheModule } from '../../store/cache/cache.module.js';
import { RecordsModule } from '../../store/keys/records.module.js';
import { UsedTokensRepository } from '../../store/keys/used-tokens.repository.js';
import { VerificationModule } from '../../verification/verification.module.js';
import { KeysModule } from '../keys.module.js';
import { TokensModule } from '../tokens/tokens.module.js';
import { ExternalTokens } from './external-tokens.js';
import { TokenExchangeService } from './token-exchange.service.js';
import { TrustRules } from './trust-rules.js';
import { TrustedIssuers } from './trusted-issuers.js';
import { UsedTokensTask } from './used-tokens.task.js';

@Module({
  imports: [CacheModule, KeysModule, RecordsModule, TokensModule, VerificationModule],
  providers: [
    ExternalTokens,
    TokenExchangeService,
    TrustedIssuers,
    TrustRules,
    UsedTokensRepository,
    UsedTokensTask,
  ],
  exports: [TokenExchangeService],
})
export class ExchangeModule {}
