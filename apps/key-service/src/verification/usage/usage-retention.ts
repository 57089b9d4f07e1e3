import { DayPartitions, type Sql } from '@gatehouse/kit/sql';
import { PartitionRetention } from '@gatehouse/nest-kit/database';
import { type Logger } from 'pino';

const DAY_SECONDS = 86_400;

const TABLES = [
  { parent: 'usage', name: 'usage_minutes', ttlSeconds: 2 * DAY_SECONDS },
  { parent: 'usage', name: 'usage_hours', ttlSeconds: 90 * DAY_SECONDS },
  { parent: 'usage', name: 'usage_days', ttlSeconds: 2 * 365 * DAY_SECONDS, isMonthly: true },
];

/** Maintains the partitions of keys.usage. */
export class UsageRetention extends PartitionRetention {
  constructor(sql: Sql, logger: Logger) {
    const days = new DayPartitions(sql, 'keys', 'create_usage_partitions', logger);
    super(() => days.maintain(TABLES), logger, 'partitions of usage could not be maintained');
  }
}
