/**
 * What every service of Gatehouse shares: start and shutdown, settings, logs, errors, input, paging,
 * SQL, Redis, messages, health, metrics, the admin guard, OpenAPI parts and timers.
 */
export { AdminAuth, AdminDeniedError, mayUse, requireScope } from './admin/admin-auth.js';
export type {
  AdminCaller,
  AdminScheme,
  AuthorizeOptions,
  CredentialHolder,
  CredentialVerifier,
} from './admin/admin-auth.js';
export { AdminCalls } from './admin/admin-calls.js';
export { adminCallerOf } from './admin/admin-gate.js';
export { AdminServiceConfig, GuardedServiceConfig } from './admin/admin-service.config.js';
export { AdminModule, adminOptionsOf } from './admin/admin.module.js';
export { verdictSigner } from './admin/admin-verdict.js';
export type { Judgement } from './admin/admin-verdict.js';
export { RemoteAdminVerifier } from './admin/remote-admin.verifier.js';
export { ArePublicVerdictKeys, IsPrivateVerdictKey } from './admin/verdict-key.constraint.js';
export { adminEventOf, auditRecordOf } from './audit/audit-event.js';
export type { AdminChange, AdminEvent, AuditRecord } from './audit/audit-event.js';
export { AuditEvents } from './audit/audit-events.js';
export type { AuditListQuery, AuditTable } from './audit/audit-events.js';
export { AuditModule } from './audit/audit.module.js';
export { AuditWriter } from './audit/audit-writer.js';
export { ADMIN_DENIED } from './audit/denied-calls.js';
export { DatabaseConfig } from './config/database.config.js';
export { IsKeyRing } from './config/key-ring.constraint.js';
export { ConfigError, Env, loadConfig, loadConfigOrExit, Secret } from './config/load-config.js';
export { ServiceConfig } from './config/service.config.js';
export * from './config/setting-parsers.js';
export type { AnswerBounds } from './database/bounded-client.js';
export { BOUNDED_POOL } from './database/bounded-client.js';
export { createDataSource, dataSourceOptions, isPooled } from './database/data-source.js';
export type { DatabaseDefinition } from './database/data-source.js';
export { DatabaseModule } from './database/database.module.js';
export {
  type DailyTable,
  DayPartitions,
  PARTITIONS_AHEAD_DAYS,
} from './database/day-partitions.js';
export { migrate } from './database/migrate.js';
export { runMigrateCommand } from './database/migrate-command.js';
export { inSavepoint } from './database/joined-sql.js';
export { PartitionRetention } from './database/partition-retention.js';
export { executorOf, retryLostRaces, Sql, sqlFault } from './database/sql.js';
export type { RetryOptions, SqlExecutor, Statement, TransactionalSql } from './database/sql.js';
export { isUuid } from './database/uuid.js';
export { uuidv7, uuidv7Bound } from './database/uuid-v7.js';
export { DomainError, errorCodes } from './errors/domain-error.js';
export type {
  DomainErrorOptions,
  ErrorCode,
  ErrorKind,
  FieldViolation,
} from './errors/domain-error.js';
export { KitErrors } from './errors/kit.errors.js';
export { ErrorFilter } from './errors/error.filter.js';
export type { ErrorProtocol } from './errors/error-protocol.js';
export { isUnavailable, toDomainError } from './errors/to-domain-error.js';
export { Shutdown } from './health/shutdown.js';
export { clientAddress, clientNetwork } from './http/client-address.js';
export type { ClientAddressSource } from './http/client-address.js';
export { ClientAddresses } from './http/client-addresses.js';
export type { CallContext } from './http/client-addresses.js';
export { DirectRoutes } from './http/direct-routes.js';
export type { DirectResponse, DirectRoute } from './http/direct-routes.js';
export type { NativeRoutes } from './http/native-routes.js';
export { runService } from './http/run-service.js';
export { previewService, startService } from './http/start-service.js';
export type { RunningService, ServiceDefinition } from './http/start-service.js';
export { API_HEADERS } from './http/security-headers.js';
export { DurationError, formatDuration, parseDuration } from './input/duration.js';
export { InputReader } from './input/input-reader.js';
export type { InputOptions } from './input/input-reader.js';
export { nearestName } from './input/nearest-name.js';
export { millisecondsOf } from './input/rfc-3339.js';
export { parseUrl } from './input/parse-url.js';
export { invalidField, invalidInput } from './input/invalid-input.js';
export type { ViolationMessage } from './input/invalid-input.js';
export { hasControlCharacter, isObject, isWellFormed, lengthOf } from './input/json-text.js';
export type { JsonObject } from './input/json-text.js';
export { createLogger, LOGGER } from './logging/logger.js';
export { EventPublisher, MessageClient, MessagingModule } from './messaging/messaging.module.js';
export { MessageContext } from './messaging/message-context.js';
export { NamespacedRedisClient } from './messaging/redis-transport.js';
export { SealedMessages } from './messaging/sealed-messages.js';
export { completeDocument } from './openapi/document.js';
export type { ApiDialect } from './openapi/document.js';
export type { Examples } from './openapi/example.js';
export type { ApiDescription } from './openapi/description.routes.js';
export { KnownParametersGuard } from './openapi/known-parameters.guard.js';
export {
  commonErrors,
  contentOf,
  Describe,
  errorResponses,
  optionalParameters,
  parameter,
  Undescribed,
} from './openapi/operation.js';
export type { Answer, Content, NativeOperation, Operation } from './openapi/operation.js';
export {
  arrayOf,
  enumOf,
  flag,
  integer,
  mapOf,
  object,
  record,
  refOrNull,
  schemaRef,
  text,
  time,
  timeOrNull,
} from './openapi/schema.js';
export type { Schema, Schemas } from './openapi/schema.js';
export { VERSION } from './http/build-info.js';
export { PageTokens, readPageRequest } from './paging/page-tokens.js';
export type { Page, PageRequest } from './paging/page-tokens.js';
export { closeRedis, redisConnection } from './redis/redis-connection.js';
export type { RedisClient, RedisPurpose, RedisSettings } from './redis/redis-connection.js';
export { REDIS, RedisModule } from './redis/redis.module.js';
export { BoundedCommands } from './redis/bounded-commands.js';
export { WindowCounter } from './redis/window-counter.js';
export type { WindowCount } from './redis/window-counter.js';
export {
  continuedTraceparent,
  currentScope,
  currentTraceparent,
  inContinuation,
  inEntry,
  inSpan,
} from './tracing/tracer.js';
export type { RecordedSpan, SpanAttributes, SpanDescription } from './tracing/tracer.js';
export { PeriodicTask } from './tasks/periodic-task.js';
export type { PeriodicTaskOptions } from './tasks/periodic-task.js';
