import { DomainError, toDomainError } from '@gatehouse/service-kit';

/** What an operation resolves to: never both, and never a rejection for a caller's mistake. */
export type Result<T> =
  { data: T; error: null } | { data: null; error: { message: string; code: number } };

/** Where the library says what nobody asked about; a pino logger fits. */
export interface SyncLogger {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export const silentLogger: SyncLogger = { warn: () => undefined, error: () => undefined };

/**
 * Runs an operation and turns what it throws into `error`: a DomainError shows its message and
 * HTTP status, a lost database is 503, anything else is 500 with a fixed text and a log line.
 */
export async function resultOf<T>(logger: SyncLogger, work: () => Promise<T>): Promise<Result<T>> {
  try {
    return { data: await work(), error: null };
  } catch (thrown) {
    const fault = toDomainError(thrown);
    if (fault.kind === 'internal') logger.error({ err: thrown }, 'directory sync operation failed');
    return { data: null, error: { message: fault.message, code: fault.httpStatus } };
  }
}

export function notFound(message: string): DomainError {
  return new DomainError('not_found', 'NOT_FOUND', message);
}
