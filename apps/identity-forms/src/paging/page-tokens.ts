/**
 * Pages by key: a token says after which row to go on. Tokens are opaque, authenticated, and
 * bound to the list and its filter, so one that was altered or moved elsewhere is refused.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { invalidField } from '@gatehouse/service-kit';
import { PageTokenKeysRepository } from './page-token-keys.repository.js';

export const PAGE_SIZE_DEFAULT = 50;
export const PAGE_SIZE_MAX = 1000;
const TAG_BYTES = 16;

export interface Page<Row> {
  rows: Row[];
  /** Empty on the last page. */
  nextPageToken: string;
}

export interface PageSource<Row> {
  /** Rows after the cursor, in the order of the list; the first ones when it is undefined. */
  fetch(cursor: string | undefined, limit: number): Promise<Row[]>;
  cursorOf(row: Row): string;
}

@Injectable()
export class PageTokens {
  private key: Promise<Buffer> | undefined;

  constructor(private readonly keys: PageTokenKeysRepository) {}

  /**
   * @param scope the list and its filter
   * @throws DomainError `invalid_argument` for a token that was not made here for this scope
   */
  async page<Row>(
    scope: string,
    { pageSize, pageToken }: { pageSize: number; pageToken: string },
    source: PageSource<Row>,
  ): Promise<Page<Row>> {
    const key = await this.loadKey();
    const cursor = pageToken === '' ? undefined : decode(key, scope, pageToken);
    const rows = await source.fetch(cursor, pageSize + 1);
    if (rows.length <= pageSize) return { rows, nextPageToken: '' };
    const shown = rows.slice(0, pageSize);
    return { rows: shown, nextPageToken: encode(key, scope, source.cursorOf(shown.at(-1) as Row)) };
  }

  private loadKey(): Promise<Buffer> {
    this.key ??= this.keys.getOrInsert(randomBytes(32)).catch((error: unknown) => {
      this.key = undefined;
      throw error;
    });
    return this.key;
  }
}

/** Reads `page_size`: 0 or less is the default, more than the maximum is the maximum. */
export function pageSizeOf(text: string | undefined): number {
  if (text === undefined || text === '') return PAGE_SIZE_DEFAULT;
  if (!/^-?\d{1,9}$/.test(text)) throw invalidField('page_size', 'must be a whole number');
  const size = Number(text);
  return size <= 0 ? PAGE_SIZE_DEFAULT : Math.min(size, PAGE_SIZE_MAX);
}

function encode(key: Buffer, scope: string, cursor: string): string {
  const text = Buffer.from(cursor);
  return Buffer.concat([tag(key, scope, text), text]).toString('base64url');
}

function decode(key: Buffer, scope: string, token: string): string {
  const bytes = Buffer.from(token, 'base64url');
  const text = bytes.subarray(TAG_BYTES);
  const isGenuine =
    bytes.length > TAG_BYTES &&
    bytes.toString('base64url') === token &&
    timingSafeEqual(bytes.subarray(0, TAG_BYTES), tag(key, scope, text));
  if (!isGenuine) throw invalidField('page_token', 'is not a token of this list');
  return text.toString();
}

function tag(key: Buffer, scope: string, cursor: Buffer): Buffer {
  const mac = createHmac('sha256', key).update(`${scope.length}:${scope}`).update(cursor);
  return mac.digest().subarray(0, TAG_BYTES);
}
