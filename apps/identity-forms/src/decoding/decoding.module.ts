import { Module } from '@nestjs/common';
import { IdentitiesModule } from '../identities/identities.module.js';
import { SchemasModule } from '../schemas/schemas.module.js';
import { DecodeDirect } from './decode-direct.js';
import { DecodingController } from './decoding.controller.js';
import { DecodingRoutes } from './decoding.routes.js';
import { DecodingService } from './decoding.service.js';

@Module({
  imports: [SchemasModule, IdentitiesModule],
  controllers: [DecodingController],
  providers: [DecodeDirect, DecodingRoutes, DecodingService],
  exports: [DecodingService],
})
export class DecodingModule {}
