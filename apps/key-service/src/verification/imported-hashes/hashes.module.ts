import { Module } from '@nestjs/common';
import { CacheModule } from '../../store/cache/cache.module.js';
import { HashImports } from '../../store/hashes/hash-imports.js';
import { HashMigrationMetrics } from './hash-migration-metrics.js';
import { HashSearch } from './hash-search.js';
import { HashesRepository } from '../../store/hashes/hashes.repository.js';
import { PendingHashes } from './pending-hashes.js';
import { SlowHashPool } from './slow-hash-pool.js';

@Module({
  imports: [CacheModule],
  providers: [
    HashesRepository,
    HashImports,
    HashMigrationMetrics,
    HashSearch,
    PendingHashes,
    SlowHashPool,
  ],
  exports: [HashesRepository, HashImports, HashMigrationMetrics, HashSearch, PendingHashes],
})
export class HashesModule {}
