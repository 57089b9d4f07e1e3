import { Sql } from '@gatehouse/kit/sql';
import { LOGGER } from '@gatehouse/nest-kit/logging';
import { Module } from '@nestjs/common';
import { type Logger } from 'pino';
import { UsageLog } from './usage-log.js';
import { UsageMetrics } from './usage-metrics.js';
import { UsageRecorder } from './usage-recorder.js';
import { UsageRetention } from './usage-retention.js';
import { UsageRollup } from './usage-rollup.js';

@Module({
  providers: [
    UsageLog,
    UsageMetrics,
    UsageRecorder,
    UsageRollup,
    {
      provide: UsageRetention,
      inject: [Sql, LOGGER],
      useFactory: (sql: Sql, logger: Logger) => new UsageRetention(sql, logger),
    },
  ],
  exports: [UsageRecorder],
})
export class UsageModule {}
