import { Module } from '@nestjs/common';
import { CacheModule } from '../cache/cache.module.js';
import { HashesModule } from '../hashes/hashes.module.js';
import { RecordsModule } from '../records/records.module.js';
import { VerificationModule } from '../verification/verification.module.js';
import { CreditsModule } from '../credits/credits.module.js';
import { CreditsService } from './credits.service.js';
import { EraseService } from './erase.service.js';
import { HashMigrationService } from './hash-migration.service.js';
import { ImportService } from './import.service.js';
import { IssueService } from './issue.service.js';
import { KeyChanges } from './key-changes.js';
import { KeyLimit } from './key-limit.js';
import { KeysService } from './keys.service.js';
import { PauseService } from './pause.service.js';
import { RevokeService } from './revoke.service.js';
import { RotateService } from './rotate.service.js';
import { SecretMinter } from './secret-minter.js';
import { SelfRevocationLimit } from './self-revocation-limit.js';
import { UndeleteService } from './undelete.service.js';

@Module({
  imports: [CacheModule, CreditsModule, HashesModule, RecordsModule, VerificationModule],
  providers: [
    CreditsService,
    EraseService,
    HashMigrationService,
    ImportService,
    IssueService,
    KeyChanges,
    KeyLimit,
    KeysService,
    PauseService,
    RevokeService,
    RotateService,
    SecretMinter,
    SelfRevocationLimit,
    UndeleteService,
  ],
  exports: [
    CreditsService,
    EraseService,
    HashMigrationService,
    ImportService,
    IssueService,
    KeyChanges,
    KeysService,
    PauseService,
    RevokeService,
    RotateService,
    UndeleteService,
  ],
})
export class KeysModule {}
