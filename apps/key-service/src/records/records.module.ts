import { Module } from '@nestjs/common';
import { ExposuresRepository } from './exposures.repository.js';
import { KeysRepository } from './keys.repository.js';

@Module({
  providers: [ExposuresRepository, KeysRepository],
  exports: [ExposuresRepository, KeysRepository],
})
export class RecordsModule {}
