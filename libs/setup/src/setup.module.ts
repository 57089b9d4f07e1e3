import { type DirectorySync } from '@gatehouse/directory-sync';
import { AssetRoutes } from '@gatehouse/pages';
import { type DynamicModule, type InjectionToken, Module } from '@nestjs/common';
import { createSetup } from './links/create-setup.js';
import { ConsentHandlers } from './pages/consent.handlers.js';
import { GroupsHandlers } from './pages/groups.handlers.js';
import { MappingHandlers } from './pages/mapping.handlers.js';
import { RolesHandlers } from './pages/roles.handlers.js';
import { SetupVisits } from './pages/setup-visit.js';
import { SetupRoutes } from './pages/setup.routes.js';
import { SetupTasks } from './setup.tasks.js';
import { SETUP, SETUP_CONFIG, type SetupConfig } from './setup.tokens.js';

export interface SetupTokens {
  /** The controller object of directory sync. */
  sync: InjectionToken;
  /** Gets what ends the consents that setup links began. */
  consents: InjectionToken;
}

/** Setup links, their pages, and what is done for them from time to time. */
@Module({})
export class SetupModule {
  static forRoot(config: SetupConfig, { sync, consents }: SetupTokens): DynamicModule {
    return {
      module: SetupModule,
      providers: [
        { provide: SETUP_CONFIG, useValue: config },
        {
          provide: SETUP,
          inject: [sync],
          useFactory: ({ parts }: DirectorySync) =>
            createSetup(parts, { allowedReturnUrls: config.returnUrls.allowed }),
        },
        { provide: consents, useExisting: ConsentHandlers },
        AssetRoutes,
        SetupRoutes,
        SetupTasks,
        MappingHandlers,
        GroupsHandlers,
        RolesHandlers,
        ConsentHandlers,
        SetupVisits,
      ],
      exports: [SETUP, SetupRoutes, consents],
    };
  }
}
