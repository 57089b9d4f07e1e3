import { ClientAddresses } from '@gatehouse/kit/clients';
import { DatabaseModule } from '@gatehouse/nest-kit/database';
import { AssetRoutes } from '@gatehouse/pages';
import { type DynamicModule, Module } from '@nestjs/common';
import { ConsoleConfig } from './config.js';
import { ConsoleRoutes } from './console.routes.js';
import { database } from './data-source.js';
import { IdentityProvider } from './sign-in/identity-provider.js';
import { SessionCleanup } from './sessions/session-cleanup.task.js';
import { SessionsRepository } from './sessions/sessions.repository.js';
import { SessionsService } from './sessions/sessions.service.js';
import { SignInRoutes } from './sign-in/sign-in.routes.js';
import { ConsoleVisits } from './site/console-visits.js';

@Module({})
export class AppModule {
  static forRoot(config: ConsoleConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [DatabaseModule.forRoot({ config, ...database })],
      providers: [
        { provide: ConsoleConfig, useValue: config },
        {
          provide: ClientAddresses,
          useValue: new ClientAddresses(config.clients),
        },
        AssetRoutes,
        ConsoleRoutes,
        ConsoleVisits,
        IdentityProvider,
        SessionCleanup,
        SessionsRepository,
        SessionsService,
        SignInRoutes,
      ],
    };
  }
}
