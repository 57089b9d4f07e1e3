// Page tokens: where the next page begins, authenticated and bound to the list and the filter that
// they were made for. They are opaque to callers and hold nothing that a page did not show.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { KeyRing } from '@gatehouse/crypto';
import { invalidArgument, violation } from './body-reader.js';

const PURPOSE = 'page-token';
const TAG_BYTES = 16;
const TOKEN_CHARACTERS_MAX = 1024;
const PAGE_SIZE_DEFAULT = 50;
const PAGE_SIZE_MAX = 1000;

/** The query of a list, as it came. */
export interface ListQuery {
  page_size?: unknown;
  pageSize?: unknown;
  page_token?: unknown;
  pageToken?: unknown;
  filter?: unknown;
}

export interface ListParameters {
  readonly pageSize: number;
  readonly pageToken: unknown;
  readonly filter: unknown;
}

/** The sort key of the last row that was shown. */
export type PagePosition = readonly string[];

export class PageTokens {
  private readonly keys: readonly Buffer[];

  constructor(ring: KeyRing) {
    this.keys = ring.forPurpose(PURPOSE).all.map(({ key }) => key);
  }

  /** A token for the page after `position` of the list `scope`, which names list and filter. */
  make(scope: string, position: PagePosition): string {
    const body = Buffer.from(JSON.stringify(position));
    const [key] = this.keys as [Buffer];
    return Buffer.concat([tagOf(key, scope, body), body]).toString('base64url');
  }

  /** The position in a token, undefined for none. Throws a 400 when it was not made for `scope`. */
  read(scope: string, token: unknown): PagePosition | undefined {
    if (token === undefined || token === '') return undefined;
    if (typeof token === 'string' && token.length <= TOKEN_CHARACTERS_MAX) {
      const bytes = Buffer.from(token, 'base64url');
      const body = bytes.subarray(TAG_BYTES);
      const tag = bytes.subarray(0, TAG_BYTES);
      const genuine =
        bytes.toString('base64url') === token &&
        tag.length === TAG_BYTES &&
        this.keys.some((key) => timingSafeEqual(tagOf(key, scope, body), tag));
      if (genuine) return JSON.parse(body.toString('utf8')) as PagePosition;
    }
    throw invalidArgument([
      violation('page_token', 'must be the next_page_token of the same list and filter'),
    ]);
  }
}

/** The size of a page: 50 when absent, zero or negative, at most 1000. Throws a 400 for no integer. */
function readPageSize(value: unknown): number {
  if (value === undefined || value === '') return PAGE_SIZE_DEFAULT;
  if (typeof value !== 'string' || !/^[+-]?\d+$/.test(value)) {
    throw invalidArgument([violation('page_size', 'must be an integer')]);
  }
  const size = Number(value);
  return size <= 0 ? PAGE_SIZE_DEFAULT : Math.min(size, PAGE_SIZE_MAX);
}

/** The query of a list, in snake_case or lowerCamelCase. Throws a 400 for a page size that is none. */
export function readListQuery(query: ListQuery): ListParameters {
  return {
    pageSize: readPageSize(query.page_size ?? query.pageSize),
    pageToken: query.page_token ?? query.pageToken,
    filter: query.filter,
  };
}

function tagOf(key: Buffer, scope: string, body: Buffer): Buffer {
  const mac = createHmac('sha256', key).update(`${scope.length}.${scope}.`).update(body);
  return mac.digest().subarray(0, TAG_BYTES);
}
