import { createHash, createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { ScimError } from '../errors/scim-error.js';
import { type JsonObject } from '../json/json.js';

/**
 * Cursors of RFC 9865: the position after the last resource of a page, bound to its query and
 * signed, so that forged and foreign cursors are refused. A cursor is no credential: each request
 * is authorized.
 */

export interface CursorSettings {
  /** Key of the signature; the same on every replica. */
  key: Buffer;
  maxAgeSeconds: number;
  /** Milliseconds since 1970; for tests. */
  now?: () => number;
}

export interface CursorCodec {
  /** @param state where the next page starts; @param queryKey text of the query it belongs to */
  encode(state: JsonObject, queryKey: string): string;
  /** @throws ScimError 400 invalidCursor or expiredCursor */
  decode(cursor: string, queryKey: string): JsonObject;
}

const SIGNATURE_BYTES = 16;
const CURSOR_LENGTH_MAX = 16_384;

interface CursorPayload {
  /** Seconds since 1970. */
  at: number;
  query: string;
  state: JsonObject;
}

export function createCursorCodec(settings: CursorSettings): CursorCodec {
  const now = settings.now ?? Date.now;
  const key = createSecretKey(settings.key);
  const sign = (payload: Buffer): Buffer =>
    createHmac('sha256', key).update(payload).digest().subarray(0, SIGNATURE_BYTES);

  const open = (cursor: string): CursorPayload => {
    const bytes = Buffer.from(cursor.slice(0, CURSOR_LENGTH_MAX), 'base64url');
    const payload = bytes.subarray(SIGNATURE_BYTES);
    const signature = bytes.subarray(0, SIGNATURE_BYTES);
    if (bytes.length <= SIGNATURE_BYTES || !timingSafeEqual(signature, sign(payload))) {
      throw invalidCursor();
    }
    return JSON.parse(payload.toString()) as CursorPayload;
  };

  return {
    encode(state, queryKey) {
      const at = Math.floor(now() / 1000);
      const payload = Buffer.from(JSON.stringify({ at, query: digest(queryKey), state }));
      return Buffer.concat([sign(payload), payload]).toString('base64url');
    },
    decode(cursor, queryKey) {
      const { at, query, state } = open(cursor);
      if (query !== digest(queryKey)) {
        throw invalidCursor();
      }
      if (now() / 1000 - at > settings.maxAgeSeconds) {
        throw new ScimError(400, 'expiredCursor', 'The cursor has expired; start again.');
      }
      return state;
    },
  };
}

function digest(queryKey: string): string {
  return createHash('sha256').update(queryKey).digest('base64url').slice(0, 16);
}

function invalidCursor(): ScimError {
  return new ScimError(400, 'invalidCursor', 'The cursor is not one of this query.');
}
