import { type DynamicModule, Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { KeyRing } from '@gatehouse/crypto';
import { AdminModule, adminOptionsOf } from '@gatehouse/nest-kit/admin';
import { AuditModule } from '@gatehouse/nest-kit/audit';
import { DatabaseModule } from '@gatehouse/nest-kit/database';
import { KnownInputGuard, RequiredBodyGuard } from '@gatehouse/nest-kit/openapi';
import { AUDIT_TABLE } from './events/audit/audit-event.js';
import { KeyServiceConfig } from './config.js';
import { database } from './data-source.js';
import { EventsModule } from './events/events.module.js';
import { ExpiryModule } from './events/expiry/expiry.module.js';
import { ENCRYPTION_RING, HMAC_RING } from './key-rings.js';
import { AdminSurfaceModule, PublicSurfaceModule } from './surface.modules.js';
import { LocalCredentialVerifier } from './verification/local-credential.verifier.js';
import { VerificationModule } from './verification/verification.module.js';
import { RequestInput } from './api/input.js';

/** Global, so that every feature module can inject the config and the key rings. */
@Global()
@Module({})
export class AppModule {
  static forRoot(config: KeyServiceConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        DatabaseModule.forRoot({ config, ...database }),
        AuditModule.forRoot(AUDIT_TABLE, config.audit),
        AdminModule.forRoot({
          ...adminOptionsOf(config.admin),
          programKeys: config.consoleAdminKey === undefined ? [] : [config.consoleAdminKey],
          clients: { ...config.clients, host: config.host },
          paths: ['/v2alpha1/admin/'],
          scope: 'keys:admin',
          readScope: 'keys:read',
          verifier: LocalCredentialVerifier,
          imports: [VerificationModule],
        }),
        VerificationModule,
        EventsModule.forRoot(config),
        ExpiryModule,
        ...(config.surface === 'public' ? [] : [AdminSurfaceModule]),
        ...(config.surface === 'admin' ? [] : [PublicSurfaceModule]),
      ],
      providers: [
        { provide: KeyServiceConfig, useValue: config },
        { provide: HMAC_RING, useFactory: () => KeyRing.fromTexts(config.hmacSecrets) },
        { provide: ENCRYPTION_RING, useFactory: () => KeyRing.fromTexts(config.encryptionKeys) },
        {
          provide: APP_GUARD,
          inject: [RequestInput],
          useFactory: ({ options }: RequestInput) => new KnownInputGuard(options),
        },
        { provide: APP_GUARD, useClass: RequiredBodyGuard },
        RequestInput,
      ],
      exports: [KeyServiceConfig, HMAC_RING, ENCRYPTION_RING, RequestInput],
    };
  }
}
