import { Module } from '@nestjs/common';
import { RecordsModule } from '../records/records.module.js';
import { CacheInvalidation } from './cache-invalidation.js';
import { KeyCache } from './key-cache.js';
import { KeyLoader } from './key-loader.js';

@Module({
  imports: [RecordsModule],
  providers: [CacheInvalidation, KeyCache, KeyLoader],
  exports: [CacheInvalidation, KeyCache, KeyLoader],
})
export class CacheModule {}
