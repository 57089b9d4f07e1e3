import { Module } from '@nestjs/common';
import { KeysModule } from '../keys/keys.module.js';
import { RecordsModule } from '../store/keys/records.module.js';
import { PortalKeysService } from './portal-keys.service.js';
import { PortalRepository } from '../store/portal/portal.repository.js';
import { PortalSessionsService } from './portal-sessions.service.js';
import { PortalTasks } from './portal.tasks.js';
import { UsageQueries } from '../keys/usage-reports/usage-queries.js';

@Module({
  imports: [KeysModule, RecordsModule],
  providers: [
    UsageQueries,
    PortalKeysService,
    PortalRepository,
    PortalSessionsService,
    PortalTasks,
  ],
  exports: [PortalKeysService, PortalRepository, PortalSessionsService, UsageQueries],
})
export class PortalModule {}
