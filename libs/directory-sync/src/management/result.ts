/** The envelope of the controller object: what services return or throw, as `{data, error}`. */
import { toDomainError } from '@gatehouse/kit/errors';
import { type SyncLogger } from '../sync-logger.js';

/** Resolves to `data` or `error`. Invalid input never rejects the promise. */
export type Result<T> =
  { data: T; error: null } | { data: null; error: { message: string; code: number } };

/** The operations of a service, each of which resolves to a result. */
export type Results<Service> = {
  [Name in keyof Service]: Service[Name] extends (...values: infer Values) => Promise<infer Data>
    ? (...values: Values) => Promise<Result<Data>>
    : never;
};

/** @param service an instance of a class whose public methods are all asynchronous */
export function asResults<Service extends object>(
  service: Service,
  logger: SyncLogger,
): Results<Service> {
  const methods = service as Record<string, (...values: unknown[]) => Promise<unknown>>;
  const operations = namesOf(Object.getPrototypeOf(service) as object).map((name) => [
    name,
    (...values: unknown[]) => resultOf(logger, () => methods[name]!(...values)),
  ]);
  return Object.fromEntries(operations) as Results<Service>;
}

/** The names of the methods of a class, and of those that it extends. */
function namesOf(prototype: object): string[] {
  const parent = Object.getPrototypeOf(prototype) as object | null;
  return parent === null ? [] : [...namesOf(parent), ...Object.getOwnPropertyNames(prototype)];
}

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
