/**
 * The two surfaces of the service. SURFACE names the ones that a process serves; it registers no
 * route of the other.
 */
import { Module } from '@nestjs/common';
import { ActorsController } from './actors/actors.controller.js';
import { ActorService } from './actors/actor.service.js';
import { AuditEventsController } from './events/audit/audit-events.controller.js';
import { AuditHistory } from './events/audit/audit-history.js';
import { CredentialsModule } from './verification/credentials/credentials.module.js';
import { AuthorizationServerController } from './keys/exchange/authorization-server.controller.js';
import { ExchangeModule } from './keys/exchange/exchange.module.js';
import { TokenExchangeDirect } from './keys/exchange/token-exchange-direct.js';
import { TokenExchangeRoutes } from './keys/exchange/token-exchange.routes.js';
import { BatchImportRoutes } from './keys/imported/batch-import.routes.js';
import { ImportedHashesController } from './keys/imported/imported-hashes.controller.js';
import { ImportedKeysController } from './keys/imported/imported-keys.controller.js';
import { IssuedKeysController } from './keys/issued/issued-keys.controller.js';
import { KeyStatesController } from './keys/states/key-states.controller.js';
import { KeyCreditsController } from './keys/credits/key-credits.controller.js';
import { TrustRulesController } from './keys/issued/trust-rules.controller.js';
import { KeysModule } from './keys/keys.module.js';
import { RefusalsController } from './keys/refusals.controller.js';
import { GithubKeys } from './keys/leaks/github-keys.js';
import { GithubLeaksRoutes } from './keys/leaks/github-leaks.routes.js';
import { LeaksController } from './keys/leaks/leaks.controller.js';
import { LeaksModule } from './keys/leaks/leaks.module.js';
import { DirectoryLinksController } from './keys/leavers/directory-links.controller.js';
import { LeaversModule } from './keys/leavers/leavers.module.js';
import {
  RevocationController,
  SelfRevocationController,
} from './keys/revocation/revocation.controllers.js';
import { AssetRoutes } from '@gatehouse/pages';
import { PortalModule } from './portal/portal.module.js';
import { PortalRoutes } from './portal/portal.routes.js';
import { PortalSessionsController } from './portal/portal-sessions.controller.js';
import { PortalVisits } from './portal/portal-visits.js';
import { ReferenceRoutes } from './reference/reference.routes.js';
import { RecordsModule } from './store/keys/records.module.js';
import { SearchController } from './search/search.controller.js';
import { SearchService } from './search/search.service.js';
import { DeriveRoutes } from './keys/tokens/derive.routes.js';
import { DeriveDirect } from './keys/tokens/derive-direct.js';
import { JwksController } from './keys/tokens/jwks.controller.js';
import { TokensModule } from './keys/tokens/tokens.module.js';
import { AuthorizeRoutes } from './verification/authorize.routes.js';
import { UsageController } from './keys/usage-reports/usage.controller.js';
import { VerificationModule } from './verification/verification.module.js';
import { VerificationRoutes } from './verification/verification.routes.js';
import { KeyWebhooksModule } from './events/webhooks/key-webhooks.js';
import { VerifyDirect } from './verification/verify-direct.js';

export const ADMIN_NATIVE_ROUTES = [
  AuthorizeRoutes,
  BatchImportRoutes,
  DeriveRoutes,
  ReferenceRoutes,
  VerificationRoutes,
];

export const PUBLIC_NATIVE_ROUTES = [GithubLeaksRoutes, PortalRoutes, TokenExchangeRoutes];

@Module({
  imports: [
    KeysModule,
    KeyWebhooksModule,
    LeaksModule,
    LeaversModule,
    PortalModule,
    RecordsModule,
    TokensModule,
    VerificationModule,
  ],
  controllers: [
    ActorsController,
    AuditEventsController,
    DirectoryLinksController,
    ImportedHashesController,
    ImportedKeysController,
    IssuedKeysController,
    KeyCreditsController,
    KeyStatesController,
    LeaksController,
    PortalSessionsController,
    RefusalsController,
    RevocationController,
    SearchController,
    TrustRulesController,
    UsageController,
  ],
  providers: [
    ...ADMIN_NATIVE_ROUTES,
    ActorService,
    AuditHistory,
    DeriveDirect,
    SearchService,
    VerifyDirect,
  ],
})
export class AdminSurfaceModule {}

@Module({
  imports: [CredentialsModule, ExchangeModule, KeysModule, LeaksModule, PortalModule],
  controllers: [AuthorizationServerController, JwksController, SelfRevocationController],
  providers: [...PUBLIC_NATIVE_ROUTES, AssetRoutes, GithubKeys, PortalVisits, TokenExchangeDirect],
})
export class PublicSurfaceModule {}
