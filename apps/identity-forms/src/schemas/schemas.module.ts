import { Module } from '@nestjs/common';
import { PagingModule } from '../paging/paging.module.js';
import { ExampleSchemaRegistrar } from './example-schema.registrar.js';
import { SchemaCatalog } from './schema-catalog.js';
import { SchemasController } from './schemas.controller.js';
import { SchemasRepository } from './schemas.repository.js';
import { SchemasService } from './schemas.service.js';

@Module({
  imports: [PagingModule],
  controllers: [SchemasController],
  providers: [SchemasRepository, SchemasService, SchemaCatalog, ExampleSchemaRegistrar],
  exports: [SchemaCatalog, SchemasRepository, SchemasService],
})
export class SchemasModule {}
