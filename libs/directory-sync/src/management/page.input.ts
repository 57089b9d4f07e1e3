import { InputReader } from '@gatehouse/kit/input';

/** A part of a list, newest first. */
export interface Page {
  /** Rows to skip; default 0. */
  pageOffset?: number;
  /** Default 50, at most 1000. */
  pageLimit?: number;
}

/** A part of a list, and where the next part starts. */
export interface PageOf<T> {
  items: T[];
  /** The `pageOffset` of the next page; null after the last one. */
  nextOffset: number | null;
}

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 1_000;
const OFFSET_MAX = 100_000_000;

/**
 * Reads offset and limit, also as decimal text. A larger limit counts as 1000.
 *
 * @throws DomainError 400
 */
export function pageOf(page: Page | null | undefined): { offset: number; limit: number } {
  const input = InputReader.ofQuery(page ?? {});
  const offset = input.integer('pageOffset', { max: OFFSET_MAX }) ?? 0;
  const limit = limitOf(input, 'pageLimit');
  input.throwIfInvalid();
  return { offset, limit };
}

/** Reads the number of rows to return. */
export function limitOf(input: InputReader, name: string): number {
  return Math.min(input.integer(name, { min: 1 }) ?? LIMIT_DEFAULT, LIMIT_MAX);
}
