import { Module } from '@nestjs/common';
import { CreditsModule } from '../credits/credits.module.js';
import { ExposuresRepository } from './exposures.repository.js';
import { KeysRepository } from './keys.repository.js';

@Module({
  imports: [CreditsModule],
  providers: [ExposuresRepository, KeysRepository],
  exports: [ExposuresRepository, KeysRepository],
})
export class RecordsModule {}
