import { type DynamicModule, Global, Module, type Provider, type Type } from '@nestjs/common';
import { KeyRing } from '@gatehouse/crypto';
import {
  AdminModule,
  adminOptionsOf,
  DatabaseModule,
  MessagingModule,
  RedisModule,
} from '@gatehouse/service-kit';
import { DataSource } from 'typeorm';
import { AuditEventsController } from './audit/audit-events.controller.js';
import { AuditLog } from './audit/audit-log.js';
import { AuditRepository } from './audit/audit.repository.js';
import { AuditRetention } from './audit/audit-retention.js';
import { FailureSampler } from './verification/failure-sampler.js';
import { KeyServiceConfig } from './config.js';
import { database } from './data-source.js';
import { KeysDatabase } from './database/keys-database.js';
import { ENCRYPTION_RING, HMAC_RING } from './key-rings.js';
import { BatchImportRoutes } from './keys/batch-import.routes.js';
import { ImportedHashRenewal } from './credentials/imported-hash-renewal.js';
import { ImportService } from './keys/import.service.js';
import { ImportedKeysController } from './keys/imported-keys.controller.js';
import { IssueService } from './keys/issue.service.js';
import { IssuedKeysController } from './keys/issued-keys.controller.js';
import { KeyChanges } from './keys/key-changes.js';
import { KeyLimit } from './keys/key-limit.js';
import { KeysRepository } from './records/keys.repository.js';
import { KeysService } from './keys/keys.service.js';
import { RevocationController, SelfRevocationController } from './keys/revocation.controllers.js';
import { RevokeService } from './keys/revoke.service.js';
import { RotateService } from './keys/rotate.service.js';
import { SecretMinter } from './keys/secret-minter.js';
import { DeriveRoutes } from './tokens/derive.routes.js';
import { DeriveDirect } from './tokens/derive-direct.js';
import { DeriveService } from './tokens/derive.service.js';
import { JwksController } from './tokens/jwks.controller.js';
import { JwtTokens } from './credentials/jwt.js';
import { MacaroonTokens } from './credentials/macaroon-tokens.js';
import { SigningKeysRepository } from './credentials/signing-keys.repository.js';
import { SigningKeysService } from './credentials/signing-keys.service.js';
import { LastUsed } from './usage/last-used.js';
import { AuthorizeRoutes } from './verification/authorize.routes.js';
import { CacheInvalidation } from './cache/cache-invalidation.js';
import { CredentialResolver } from './credentials/credential-resolver.js';
import { KeyCache } from './cache/key-cache.js';
import { KeyLoader } from './cache/key-loader.js';
import { KeysVerifyController } from './verification/keys-verify.controller.js';
import { LocalCredentialVerifier } from './verification/local-credential.verifier.js';
import { RateLimiter } from './verification/rate-limiter.js';
import { VerificationMetrics } from './verification/verification-metrics.js';
import { VerificationRoutes } from './verification/verification.routes.js';
import { VerificationService } from './verification/verification.service.js';
import { VerifyDirect } from './verification/verify-direct.js';
import { ClientAddresses } from './wire/call-context.js';

const SERVICES: Provider[] = [
  AuditLog,
  AuditRepository,
  CacheInvalidation,
  ClientAddresses,
  CredentialResolver,
  DeriveService,
  FailureSampler,
  ImportedHashRenewal,
  ImportService,
  IssueService,
  JwtTokens,
  KeyCache,
  KeyChanges,
  KeyLimit,
  KeyLoader,
  KeysRepository,
  KeysService,
  LastUsed,
  MacaroonTokens,
  RateLimiter,
  RevokeService,
  RotateService,
  SecretMinter,
  SigningKeysRepository,
  SigningKeysService,
  VerificationMetrics,
  VerificationService,
];

const ADMIN_ROUTES: Provider[] = [
  AuthorizeRoutes,
  BatchImportRoutes,
  DeriveRoutes,
  VerificationRoutes,
  VerifyDirect,
  DeriveDirect,
];
const ADMIN_CONTROLLERS: Type[] = [
  AuditEventsController,
  ImportedKeysController,
  IssuedKeysController,
  RevocationController,
];
const PUBLIC_CONTROLLERS: Type[] = [JwksController, SelfRevocationController];

/** What every surface shares. Global, so that the admin guard may use it as well. */
@Global()
@Module({})
class KeysCoreModule {
  static forRoot(config: KeyServiceConfig): DynamicModule {
    return {
      module: KeysCoreModule,
      imports: [
        DatabaseModule.forRoot({ config, ...database }),
        RedisModule.forRoot(config),
        MessagingModule.forRoot(config),
      ],
      providers: [
        { provide: KeyServiceConfig, useValue: config },
        { provide: HMAC_RING, useFactory: () => KeyRing.fromTexts(config.hmacSecrets) },
        { provide: ENCRYPTION_RING, useFactory: () => KeyRing.fromTexts(config.encryptionKeys) },
        {
          provide: KeysDatabase,
          inject: [DataSource],
          useFactory: (dataSource: DataSource) => new KeysDatabase(dataSource),
        },
        ...SERVICES,
      ],
      exports: [KeyServiceConfig, HMAC_RING, KeysDatabase, ...SERVICES],
    };
  }
}

/** The key service with the surface that SURFACE names; of the other one nothing is registered. */
@Module({})
export class AppModule {
  static forRoot(config: KeyServiceConfig): DynamicModule {
    const servesAdmin = config.surface !== 'public';
    const servesPublic = config.surface !== 'admin';
    return {
      module: AppModule,
      imports: [
        KeysCoreModule.forRoot(config),
        AdminModule.forRoot({
          ...adminOptionsOf(config),
          paths: ['/v2alpha1/admin/'],
          scopes: ['keys:admin'],
          verifier: LocalCredentialVerifier,
        }),
      ],
      controllers: [
        KeysVerifyController,
        ...(servesAdmin ? ADMIN_CONTROLLERS : []),
        ...(servesPublic ? PUBLIC_CONTROLLERS : []),
      ],
      providers: [AuditRetention, ...(servesAdmin ? ADMIN_ROUTES : [])],
    };
  }
}
