import { DomainError, KitErrors, toDomainError } from '@gatehouse/kit/errors';
import { type SyncLogger } from '../sync-logger.js';

/** What an operation resolves to: `data` or `error`. Invalid input never rejects the promise. */
export type Result<T> =
  { data: T; error: null } | { data: null; error: { message: string; code: number } };

/**
 * Runs an operation and converts what it throws into `error`: a DomainError keeps its message and
 * HTTP status, a lost database is 503, anything else is 500 with a fixed message and a log line.
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

/** The items of a page as the data of the result. */
export async function itemsOf<T>(page: Promise<Result<{ items: T[] }>>): Promise<Result<T[]>> {
  const { data, error } = await page;
  return error ? { data: null, error } : { data: data.items, error: null };
}

export function notFound(message: string): DomainError {
  return new DomainError(KitErrors.NOT_FOUND, { message });
}
