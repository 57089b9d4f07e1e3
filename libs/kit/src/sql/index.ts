export { type AnswerBounds, BOUNDED_POOL, BoundedClient } from './bounded-client.js';
export { type DailyTable, DayPartitions, PARTITIONS_AHEAD_DAYS } from './day-partitions.js';
export { inSavepoint } from './joined-sql.js';
export {
  type RetryOptions,
  Sql,
  type SqlExecutor,
  type Statement,
  type TransactionalSql,
  retryLostRaces,
  sqlFault,
} from './sql.js';
export { inStatementSpan } from './sql-traces.js';
