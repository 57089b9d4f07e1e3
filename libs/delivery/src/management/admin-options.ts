import { adminEventOf, type AuditEvents } from '@gatehouse/kit/audit';
import { type CallContext } from '@gatehouse/kit/clients';
import { type InputOptions, InputReader, type JsonObject } from '@gatehouse/kit/input';
import { type PageRequest, type PageTokens, readPageRequest } from '@gatehouse/kit/paging';
import { type Sql, type SqlExecutor } from '@gatehouse/kit/sql';

/** The owner of endpoints and events, such as a directory. */
export interface Sources {
  /** The member of audit events that names the source of a change. */
  auditName: string;
  /** @throws DomainError `not_found` for a source that does not exist */
  require(sourceId: string): Promise<unknown>;
  /**
   * Locks the source for a change of its endpoints, and returns whether it takes deliveries.
   *
   * @throws DomainError `not_found`
   */
  lock(sql: SqlExecutor, sourceId: string): Promise<{ isActive: boolean }>;
}

/** Options of both endpoint and event administration. */
export interface AdminOptions {
  sql: Sql;
  /** The schema of the tables, see `createDeliveryTables`. */
  schema: string;
  /** Every event type of the system. */
  types: readonly string[];
  audit: Pick<AuditEvents, 'insert'>;
  pages: PageTokens;
  /** How bodies and queries are read. */
  input: InputOptions;
  /** Wakes the lanes of a source after a change. */
  wake: (sourceId: string) => void;
  /** By default one source, the service itself, which always takes deliveries. */
  sources?: Sources;
}

/** A change as it is audited. */
export interface AuditedChange {
  type: string;
  sourceId: string | null;
  targetId: string;
  details: JsonObject;
}

/** Writes the audit event of a change, in the transaction of the change. */
export function auditChange(
  { audit, sources }: AdminOptions,
  sql: SqlExecutor,
  { type, sourceId, targetId, details }: AuditedChange,
  call: CallContext,
): Promise<void> {
  const source = sources && sourceId !== null ? { [sources.auditName]: sourceId } : {};
  const ownerId = (sources && sourceId) ?? '';
  const change = { type, targetId, ownerId, details: { ...source, ...details } };
  const event = adminEventOf(change, call);
  return audit.insert([event], sql);
}

/** @throws DomainError `invalid_argument` */
export function pageRequestOf({ input }: AdminOptions, query: object | null): PageRequest {
  const reader = InputReader.ofQuery(query ?? {}, input);
  const page = readPageRequest(reader);
  reader.throwIfInvalid();
  return page;
}
