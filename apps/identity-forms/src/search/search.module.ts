import { Module } from '@nestjs/common';
import { FlowsModule } from '../flows/flows.module.js';
import { IdentitiesModule } from '../identities/identities.module.js';
import { SchemasModule } from '../schemas/schemas.module.js';
import { SearchController } from './search.controller.js';
import { SearchService } from './search.service.js';

@Module({
  imports: [FlowsModule, IdentitiesModule, SchemasModule],
  controllers: [SearchController],
  providers: [SearchService],
})
export class SearchModule {}
