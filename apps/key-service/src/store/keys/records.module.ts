import { Module } from '@nestjs/common';
import { CreditsModule } from '../credits/credits.module.js';
import { ExposuresRepository } from './exposures.repository.js';
import { KeysRepository } from './keys.repository.js';
import { RefusalsRepository } from '../refusals/refusals.repository.js';

@Module({
  imports: [CreditsModule],
  providers: [ExposuresRepository, KeysRepository, RefusalsRepository],
  exports: [ExposuresRepository, KeysRepository, RefusalsRepository],
})
export class RecordsModule {}
