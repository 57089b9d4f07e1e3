import {
  AdminModule,
  adminOptionsOf,
  AuditModule,
  DatabaseModule,
  InputReader,
  KnownParametersGuard,
  MessagingModule,
  RedisModule,
  RemoteAdminVerifier,
} from '@gatehouse/service-kit';
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
import { RetentionModule } from './retention/retention.module.js';
import { SchemasModule } from './schemas/schemas.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

/** The name under which this service asks others. */
const SERVICE = 'identity-forms';

const readQuery = (query: object) => InputReader.ofQuery(query, STRICT);

@Global()
@Module({})
export class AppModule {
  static forRoot(config: IdentityFormsConfig): DynamicModule {
    const messaging = MessagingModule.forRoot(config, SERVICE);
    return {
      module: AppModule,
      imports: [
        DatabaseModule.forRoot({ config, ...database }),
        RedisModule.forRoot(config),
        messaging,
        AuditModule.forRoot(AUDIT_TABLE, config),
        AdminModule.forRoot({
          ...adminOptionsOf(config),
          clients: config,
          paths: ['/v1/'],
          scope: 'forms:admin',
          readScope: 'forms:read',
          verifier: RemoteAdminVerifier,
          verdicts: { service: SERVICE, publicKeys: config.verdictPublicKeys },
          imports: [messaging],
        }),
        EventsModule.forRoot(config),
        WebhooksModule,
        SchemasModule,
        DecodingModule,
        IdentitiesModule,
        FlowsModule,
        RetentionModule,
        AuditEventsModule,
      ],
      providers: [
        { provide: IdentityFormsConfig, useValue: config },
        { provide: APP_GUARD, useValue: new KnownParametersGuard(readQuery) },
      ],
      exports: [IdentityFormsConfig],
    };
  }
}
