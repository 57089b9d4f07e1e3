import { PartitionRetention, Sql } from '@gatehouse/service-kit';
import { type Logger } from 'pino';
import { type DataSource } from 'typeorm';
import { Partitions, type Retention } from './partitions.js';

/** Maintains the partitions of a system, in every process that owns its tables. */
export class EventRetention extends PartitionRetention {
  constructor(dataSource: DataSource, schema: string, retention: Retention, logger: Logger) {
    const partitions = new Partitions(new Sql(dataSource), schema, logger);
    super(
      () => partitions.maintain(retention),
      logger,
      'partitions of the event log could not be maintained',
    );
  }
}
