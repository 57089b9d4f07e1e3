import { Module } from '@nestjs/common';
import { RecordsModule } from '../../store/keys/records.module.js';
import { PeopleRepository } from '../../store/people/people.repository.js';
import { PortalRepository } from '../../store/portal/portal.repository.js';
import { LinksRepository } from '../../store/people/links.repository.js';
import { KeysModule } from '../keys.module.js';
import { DirectoryLinksService } from './directory-links.service.js';
import { LeaversController } from './leavers.controller.js';
import { LeaversService } from './leavers.service.js';
import { LeaversTasks } from './leavers.tasks.js';

@Module({
  imports: [KeysModule, RecordsModule],
  controllers: [LeaversController],
  providers: [
    DirectoryLinksService,
    LeaversService,
    LeaversTasks,
    LinksRepository,
    PeopleRepository,
    PortalRepository,
  ],
  exports: [DirectoryLinksService, LinksRepository],
})
export class LeaversModule {}
