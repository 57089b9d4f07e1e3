import { PartitionRetention, sqlOf } from '@gatehouse/nest-kit/database';
import { type Logger } from 'pino';
import { type DataSource } from 'typeorm';
import { Partitions } from '../tables/partitions.js';

/** Attempts to deliver events are dropped after this time, by whole days. */
const WEBHOOK_LOGS_TTL_SECONDS = 7 * 86_400;

/** Maintains the partitions of a system, in every process that owns its tables. */
export class EventRetention extends PartitionRetention {
  constructor(dataSource: DataSource, schema: string, eventsTtlSeconds: number, logger: Logger) {
    const partitions = new Partitions(sqlOf(dataSource), schema, logger);
    super(
      () =>
        partitions.maintain({ eventsTtlSeconds, webhookLogsTtlSeconds: WEBHOOK_LOGS_TTL_SECONDS }),
      logger,
      'partitions of the event log could not be maintained',
    );
  }
}
