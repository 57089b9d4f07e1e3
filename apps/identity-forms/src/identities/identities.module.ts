import { Module } from '@nestjs/common';
import { PagingModule } from '../paging/paging.module.js';
import { SchemasModule } from '../schemas/schemas.module.js';
import { IdentitiesController } from './identities.controller.js';
import { IdentitiesRepository } from './identities.repository.js';
import { IdentitiesService } from './identities.service.js';
import { IdentityWriter } from './identity-writer.js';

@Module({
  imports: [PagingModule, SchemasModule],
  controllers: [IdentitiesController],
  providers: [IdentitiesRepository, IdentitiesService, IdentityWriter],
  exports: [IdentitiesRepository, IdentitiesService, IdentityWriter],
})
export class IdentitiesModule {}
