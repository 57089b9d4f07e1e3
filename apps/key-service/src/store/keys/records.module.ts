import { Module } from '@nestjs/common';
import { CreditsModule } from '../credits/credits.module.js';
import { ExposuresRepository } from './exposures.repository.js';
import { KeySearchRepository } from './key-search.repository.js';
import { KeysRepository } from './keys.repository.js';
import { RefusalsRepository } from '../refusals/refusals.repository.js';

@Module({
  imports: [CreditsModule],
  providers: [ExposuresRepository, KeySearchRepository, KeysRepository, RefusalsRepository],
  exports: [ExposuresRepository, KeySearchRepository, KeysRepository, RefusalsRepository],
})
export class RecordsModule {}
