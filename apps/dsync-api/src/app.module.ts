import { AUDIT_TABLE, databaseDefinition } from '@gatehouse/directory-sync';
import { SetupModule } from '@gatehouse/setup';
import { AdminModule, RemoteAdminVerifier } from '@gatehouse/nest-kit/admin';
import { AuditModule } from '@gatehouse/nest-kit/audit';
import { DatabaseModule } from '@gatehouse/nest-kit/database';
import { KnownInputGuard, RequiredBodyGuard } from '@gatehouse/nest-kit/openapi';
import { type DynamicModule, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AuditController } from './audit/audit.controller.js';
import { DsyncApiConfig } from './config.js';
import { DirectoriesController } from './directories/directories.controller.js';
import { KeyLinksController } from './directories/key-links.controller.js';
import { GuardsController } from './directories/guards.controller.js';
import { ScimTokensController } from './directories/scim-tokens.controller.js';
import { RoleMappingsController } from './directories/role-mappings.controller.js';
import { SecretsAudit } from './directories/secrets-audit.js';
import { EventsController } from './events/events.controller.js';
import { DirectoryWebhooksModule } from './events/directory-webhooks.js';
import { MANAGEMENT_PATHS } from './management/management.decorators.js';
import { unauthorized } from './management/unauthorized.js';
import { RequestsController } from './requests/requests.controller.js';
import { RecordsController } from './records/records.controller.js';
import { OAuthCallbackController } from './workspace/oauth-callback.controller.js';
import { ScimRoutes } from './scim/scim.routes.js';
import { RequestUsageController } from './requests/request-usage.controller.js';
import { SearchController } from './search/search.controller.js';
import { SetupLinksController } from './setup/setup-links.controller.js';
import { DIRECTORY_SYNC, SyncModule } from './sync.module.js';
import { LINK_CONSENTS } from './workspace/link-consents.js';
import { NotificationRoutes } from './workspace/notification.routes.js';
import { RunsController } from './workspace/runs.controller.js';

/** The name under which this service asks others. */
const SERVICE = 'dsync-api';

@Module({})
export class AppModule {
  static forRoot(config: DsyncApiConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        DatabaseModule.forRoot({ config, ...databaseDefinition }),
        AuditModule.forRoot(AUDIT_TABLE, config.audit),
        AdminModule.forRoot({
          staticKeys: config.apiKeys,
          mode: 'closed',
          clients: { ...config.clients, host: config.host },
          schemes: ['api-key', 'bearer'],
          scope: 'dsync:admin',
          readScope: 'dsync:read',
          verifier: RemoteAdminVerifier,
          verdicts: { service: SERVICE, publicKeys: config.verdicts.publicKeys },
          paths: MANAGEMENT_PATHS.map((path) => `/${path}`),
          refusal: unauthorized,
        }),
        SyncModule.forRoot(config),
        DirectoryWebhooksModule,
        SetupModule.forRoot(config, { sync: DIRECTORY_SYNC, consents: LINK_CONSENTS }),
      ],
      // Fixed paths must come before paths with a parameter in the same place.
      controllers: [
        AuditController,
        SearchController,
        RequestUsageController,
        RecordsController,
        EventsController,
        RunsController,
        KeyLinksController,
        GuardsController,
        RoleMappingsController,
        RequestsController,
        ScimTokensController,
        SetupLinksController,
        DirectoriesController,
        OAuthCallbackController,
      ],
      providers: [
        ScimRoutes,
        NotificationRoutes,
        SecretsAudit,
        { provide: DsyncApiConfig, useValue: config },
        { provide: APP_GUARD, useValue: new KnownInputGuard({ unknown: 'refuse' }) },
        { provide: APP_GUARD, useClass: RequiredBodyGuard },
      ],
    };
  }
}
