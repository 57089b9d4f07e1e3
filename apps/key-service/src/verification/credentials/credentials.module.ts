import { Module } from '@nestjs/common';
import { CacheModule } from '../../store/cache/cache.module.js';
import { HashesModule } from '../imported-hashes/hashes.module.js';
import { RecordsModule } from '../../store/keys/records.module.js';
import { CredentialReader } from './credential-reader.js';
import { ImportedHashRenewal } from './imported-hash-renewal.js';
import { JwtTokens } from './jwt.js';
import { MacaroonTokens } from './macaroon-tokens.js';
import { SigningKeysRepository } from './signing-keys.repository.js';
import { SigningKeysService } from './signing-keys.service.js';

@Module({
  imports: [CacheModule, HashesModule, RecordsModule],
  providers: [
    CredentialReader,
    ImportedHashRenewal,
    JwtTokens,
    MacaroonTokens,
    SigningKeysRepository,
    SigningKeysService,
  ],
  exports: [CredentialReader, JwtTokens, MacaroonTokens, SigningKeysService],
})
export class CredentialsModule {}
