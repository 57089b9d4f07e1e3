import { DayPartitions, type Sql } from '@gatehouse/kit/sql';
import { PartitionRetention } from '@gatehouse/nest-kit/database';
import { type Logger } from 'pino';
import { type KeyServiceConfig } from '../../config.js';

/** Maintains the partitions of keys.usage. */
export class UsageRetention extends PartitionRetention {
  constructor(
    sql: Sql,
    config: Pick<
      KeyServiceConfig,
      'usageMinutesTtlSeconds' | 'usageHoursTtlSeconds' | 'usageDaysTtlSeconds'
    >,
    logger: Logger,
  ) {
    const days = new DayPartitions(sql, 'keys', 'create_usage_partitions', logger);
    const { usageMinutesTtlSeconds, usageHoursTtlSeconds, usageDaysTtlSeconds } = config;
    const tables = [
      { name: 'usage_minutes', ttlSeconds: usageMinutesTtlSeconds },
      { name: 'usage_hours', ttlSeconds: usageHoursTtlSeconds },
      { name: 'usage_days', ttlSeconds: usageDaysTtlSeconds, isMonthly: true },
    ];
    super(() => days.maintain(tables), logger, 'partitions of usage could not be maintained');
  }
}
