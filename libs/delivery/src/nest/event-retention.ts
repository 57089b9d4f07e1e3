import { PartitionRetention, sqlOf } from '@gatehouse/nest-kit/database';
import { type Logger } from 'pino';
import { type DataSource } from 'typeorm';
import { Partitions, type Retention } from '../tables/partitions.js';

/** Maintains the partitions of a system, in every process that owns its tables. */
export class EventRetention extends PartitionRetention {
  constructor(dataSource: DataSource, schema: string, retention: Retention, logger: Logger) {
    const partitions = new Partitions(sqlOf(dataSource), schema, logger);
    super(
      () => partitions.maintain(retention),
      logger,
      'partitions of the event log could not be maintained',
    );
  }
}
