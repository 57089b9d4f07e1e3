/**
 * Keyset pages. A page token holds the sort key of the last row that was shown, authenticated and
 * bound to the list and the filter that it was made for. Callers treat it as opaque.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { keyObject, type KeyRing } from '@gatehouse/crypto';
import { type InputReader } from '../input/input-reader.js';
import { invalidInput, type ViolationMessage } from '../input/invalid-input.js';

const PURPOSE = 'page-token';
const TAG_BYTES = 16;
/** Enough for a name of 255 characters with four bytes each. */
const TOKEN_CHARACTERS_MAX = 2048;
const PAGE_SIZE_DEFAULT = 50;
const PAGE_SIZE_MAX = 1000;

/** The sort key of the last row that was shown. */
export type PagePosition = readonly string[];

export interface PageRequest {
  readonly pageSize: number;
  /** As the caller sent it; '' asks for the first page. */
  readonly pageToken: string;
}

export interface Page<Row> {
  readonly rows: Row[];
  /** Empty on the last page. */
  readonly nextPageToken: string;
}

export interface PageSource<Row> {
  /** At most `limit` rows after the position, from the first one when it is undefined. */
  fetch(after: PagePosition | undefined, limit: number): Promise<Row[]>;
  positionOf(row: Row): PagePosition;
  /** Whether the list may go on behind the last row, although fewer than `limit` were fetched. */
  isCutAt?(row: Row): boolean;
}

/** Reads `page_size` and `page_token`. A size of 0 or less means 50; the maximum is `max`. */
export function readPageRequest(
  query: InputReader,
  { max = PAGE_SIZE_MAX }: { max?: number } = {},
): PageRequest {
  const size = query.integer('page_size', { min: -Infinity, max: Infinity }) ?? 0;
  return {
    pageSize: Math.min(size <= 0 ? PAGE_SIZE_DEFAULT : size, max),
    pageToken: query.string('page_token') ?? '',
  };
}

export class PageTokens {
  /**
   * @param keys authenticate tokens: the first makes them, all of them are accepted
   * @param message of the error for a token that is refused
   */
  constructor(
    private readonly keys: () => readonly Buffer[] | Promise<readonly Buffer[]>,
    private readonly message?: ViolationMessage,
  ) {}

  /** Page tokens under the keys of a ring, so that tokens survive a rotation. */
  static fromRing(ring: KeyRing, message?: ViolationMessage): PageTokens {
    const keys = ring.forPurpose(PURPOSE).all.map(({ key }) => key);
    return new PageTokens(() => keys, message);
  }

  /**
   * @param scope the list and its filter; a token of another scope is refused
   * @throws DomainError `invalid_argument` naming `page_token`
   */
  async page<Row>(
    scope: string,
    { pageSize, pageToken }: PageRequest,
    source: PageSource<Row>,
  ): Promise<Page<Row>> {
    const keys = await this.keys();
    const after = pageToken === '' ? undefined : this.read(keys, scope, pageToken);
    const found = await source.fetch(after, pageSize + 1);
    const rows = found.slice(0, pageSize);
    const last = rows.at(-1);
    const hasMore = last && (found.length > pageSize || source.isCutAt?.(last));
    const nextPageToken = hasMore ? make(keys, scope, source.positionOf(last)) : '';
    return { rows, nextPageToken };
  }

  private read(keys: readonly Buffer[], scope: string, token: string): PagePosition {
    const bytes = Buffer.from(token.slice(0, TOKEN_CHARACTERS_MAX), 'base64url');
    const body = bytes.subarray(TAG_BYTES);
    const tag = bytes.subarray(0, TAG_BYTES);
    const isGenuine =
      bytes.toString('base64url') === token &&
      tag.length === TAG_BYTES &&
      keys.some((key) => timingSafeEqual(tagOf(key, scope, body), tag));
    if (isGenuine) {
      return JSON.parse(body.toString('utf8')) as PagePosition;
    }
    const description = 'must be the next_page_token of the same list and filter';
    throw invalidInput([{ field: 'page_token', description }], this.message);
  }
}

function make(keys: readonly Buffer[], scope: string, position: PagePosition): string {
  const body = Buffer.from(JSON.stringify(position));
  const [key] = keys as [Buffer];
  return Buffer.concat([tagOf(key, scope, body), body]).toString('base64url');
}

function tagOf(key: Buffer, scope: string, body: Buffer): Buffer {
  const mac = createHmac('sha256', keyObject(key)).update(`${scope.length}.${scope}.`).update(body);
  return mac.digest().subarray(0, TAG_BYTES);
}
