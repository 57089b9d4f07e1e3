import { Module } from '@nestjs/common';
import { CacheInvalidation } from './cache-invalidation.js';
import { KeyCache } from './key-cache.js';

@Module({
  providers: [CacheInvalidation, KeyCache],
  exports: [CacheInvalidation, KeyCache],
})
export class CacheModule {}
