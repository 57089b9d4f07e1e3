import { loadConfigOrExit, LOGGER, runService } from '@gatehouse/service-kit';
import { type DirectorySync } from '@gatehouse/directory-sync';
import { type Logger } from 'pino';
import { AppModule } from './app.module.js';
import { DsyncApiConfig } from './config.js';
import { ManagementFilter } from './management/management.filter.js';
import { registerScimRoutes } from './scim/scim.routes.js';
import { DIRECTORY_SYNC } from './sync.module.js';

const config = loadConfigOrExit(DsyncApiConfig);

await runService({
  name: 'dsync-api',
  config,
  module: AppModule.forRoot(config),
  health: { database: true, redis: 'optional' },
  exceptionFilters: [],
  configure: async (app) => {
    const logger = app.get<Logger>(LOGGER);
    app.useGlobalFilters(new ManagementFilter(logger));
    const sync = app.get<DirectorySync>(DIRECTORY_SYNC);
    await registerScimRoutes(app.getHttpAdapter().getInstance(), () => sync, logger);
  },
  openApi: {
    title: 'Gatehouse directory sync',
    description: 'Directories, their users, groups and events. SCIM 2.0 for identity providers.',
  },
});
