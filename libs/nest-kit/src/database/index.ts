export {
  type DatabaseDefinition,
  createDataSource,
  createPool,
  dataSourceOptions,
  isPooled,
} from './data-source.js';
export { DatabaseModule } from './database.module.js';
export { runMigrateCommand } from './migrate-command.js';
export { migrate } from './migrate.js';
export { PartitionRetention } from './partition-retention.js';
export { executorOf, poolOf, sqlOf } from './typeorm-sql.js';
