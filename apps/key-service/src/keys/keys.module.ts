import { Module } from '@nestjs/common';
import { AdminKeys } from './issued/admin-keys.js';
import { CacheModule } from '../store/cache/cache.module.js';
import { HashesModule } from '../verification/imported-hashes/hashes.module.js';
import { RecordsModule } from '../store/keys/records.module.js';
import { VerificationModule } from '../verification/verification.module.js';
import { CreditsModule } from '../store/credits/credits.module.js';
import { CreditsService } from './credits/credits.service.js';
import { EraseService } from './states/erase.service.js';
import { HashMigrationService } from './imported/hash-migration.service.js';
import { ImportService } from './imported/import.service.js';
import { IssueService } from './issued/issue.service.js';
import { KeyChanges } from './key-changes.js';
import { KeyLimit } from './key-limit.js';
import { KeysService } from './keys.service.js';
import { PauseService } from './states/pause.service.js';
import { RevokeService } from './revocation/revoke.service.js';
import { RotateService } from './issued/rotate.service.js';
import { SecretMinter } from './secret-minter.js';
import { RefusedExchangeLimit, SelfRevocationLimit } from './attempt-limits.js';
import { UndeleteService } from './states/undelete.service.js';

@Module({
  imports: [CacheModule, CreditsModule, HashesModule, RecordsModule, VerificationModule],
  providers: [
    AdminKeys,
    CreditsService,
    EraseService,
    HashMigrationService,
    ImportService,
    IssueService,
    KeyChanges,
    KeyLimit,
    KeysService,
    PauseService,
    RefusedExchangeLimit,
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
    RefusedExchangeLimit,
    RevokeService,
    RotateService,
    UndeleteService,
  ],
})
export class KeysModule {}
