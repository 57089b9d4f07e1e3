import { Module } from '@nestjs/common';
import { PagingModule } from '../paging/paging.module.js';
import { SchemasModule } from '../schemas/schemas.module.js';
import { IdentitiesController } from './identities.controller.js';
import { IdentitiesRepository } from './identities.repository.js';
import { IdentitiesService } from './identities.service.js';

@Module({
  imports: [PagingModule, SchemasModule],
  controllers: [IdentitiesController],
  providers: [IdentitiesRepository, IdentitiesService],
  exports: [IdentitiesRepository, IdentitiesService],
})
export class IdentitiesModule {}
