import { Module } from '@nestjs/common';
import { CacheInvalidation } from './cache-invalidation.js';
import { KeyCache } from './key-cache.js';
import { KeyLoader } from './key-loader.js';

@Module({
  providers: [CacheInvalidation, KeyCache, KeyLoader],
  exports: [CacheInvalidation, KeyCache, KeyLoader],
})
export class CacheModule {}
