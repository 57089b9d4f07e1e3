import { Module } from '@nestjs/common';
import { CacheModule } from '../cache/cache.module.js';
import { RecordsModule } from '../records/records.module.js';
import { VerificationModule } from '../verification/verification.module.js';
import { ImportService } from './import.service.js';
import { IssueService } from './issue.service.js';
import { KeyChanges } from './key-changes.js';
import { KeyLimit } from './key-limit.js';
import { KeysService } from './keys.service.js';
import { RevokeService } from './revoke.service.js';
import { RotateService } from './rotate.service.js';
import { SecretMinter } from './secret-minter.js';
import { SelfRevocationLimit } from './self-revocation-limit.js';

@Module({
  imports: [CacheModule, RecordsModule, VerificationModule],
  providers: [
    ImportService,
    IssueService,
    KeyChanges,
    KeyLimit,
    KeysService,
    RevokeService,
    RotateService,
    SecretMinter,
    SelfRevocationLimit,
  ],
  exports: [ImportService, IssueService, KeysService, RevokeService, RotateService],
})
export class KeysModule {}
