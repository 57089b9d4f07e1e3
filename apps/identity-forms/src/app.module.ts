import { AdminModule, adminOptionsOf, RemoteAdminVerifier } from '@gatehouse/nest-kit/admin';
import { AuditModule } from '@gatehouse/nest-kit/audit';
import { DatabaseModule } from '@gatehouse/nest-kit/database';
import { KnownInputGuard } from '@gatehouse/nest-kit/openapi';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AUDIT_TABLE } from './audit/admin-audit.js';
import { AuditEventsModule } from './audit/audit-events.module.js';
import { IdentityFormsConfig } from './config.js';
import { database } from './data-source.js';
import { DecodingModule } from './decoding/decoding.module.js';
import { EventsModule } from './events/events.module.js';
import { FlowsModule } from './flows/flows.module.js';
import { STRICT } from './http/json-body.js';
import { IdentitiesModule } from './identities/identities.module.js';
import { KeyLinkModule } from './key-link/key-link.module.js';
import { RetentionModule } from './retention/retention.module.js';
import { SearchModule } from './search/search.module.js';
import { SchemasModule } from './schemas/schemas.module.js';
import { IdentityWebhooksModule } from './webhooks/identity-webhooks.js';

/** The name under which this service asks others. */
const SERVICE = 'identity-forms';

@Global()
@Module({})
export class AppModule {
  static forRoot(config: IdentityFormsConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        DatabaseModule.forRoot({ config, ...database }),
        AuditModule.forRoot(AUDIT_TABLE, config.audit),
        AdminModule.forRoot({
          ...adminOptionsOf(config.admin),
          clients: { ...config.clients, host: config.host },
          paths: ['/v1/'],
          scope: 'forms:admin',
          readScope: 'forms:read',
          verifier: RemoteAdminVerifier,
          verdicts: { service: SERVICE, publicKeys: config.verdicts.publicKeys },
        }),
        EventsModule.forRoot(config),
        IdentityWebhooksModule,
        SchemasModule,
        DecodingModule,
        IdentitiesModule,
        KeyLinkModule,
        FlowsModule,
        RetentionModule,
        SearchModule,
        AuditEventsModule,
      ],
      providers: [
        { provide: IdentityFormsConfig, useValue: config },
        { provide: APP_GUARD, useValue: new KnownInputGuard(STRICT) },
      ],
      exports: [IdentityFormsConfig],
    };
  }
}
