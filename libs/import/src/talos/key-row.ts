/** A row of a file of keys, completed by what the API of Talos says of the key. */
import { hashOf, type HmacKey } from '../keys/hash-row.js';
import { type Row } from '../rows.js';

/** A key as the API returns it. */
export interface KeySettings extends Row {
  key_id: string;
  status?: string;
}

export interface ImportRequest extends Row {
  /** One of the two. */
  raw_key?: string;
  hash?: Row;
  /** The name of the key in reports. */
  record?: string;
}

export interface RowRefusal {
  reason: string;
  detail: string;
}

const SETTINGS = [
  'name',
  'actor_id',
  'scopes',
  'metadata',
  'rate_limit_policy',
  'ip_restriction',
  'visibility',
  'tags',
  'credits',
] as const;
/** Columns of CSV files that are JSON texts. */
const JSON_SETTINGS: readonly string[] = [
  'metadata',
  'rate_limit_policy',
  'ip_restriction',
  'credits',
];

export function isRefusal(result: ImportRequest | RowRefusal): result is RowRefusal {
  return 'reason' in result;
}

export function requestOf(
  row: Row,
  known: KeySettings | undefined,
  hmacKey?: HmacKey,
  now = Date.now(),
): ImportRequest | RowRefusal {
  const secret = secretOf(row, hmacKey);
  if (isRefusal(secret)) return secret;
  const settings = { ...known, ...row };
  const status = settings.status ?? 'KEY_STATUS_ACTIVE';
  if (status !== 'KEY_STATUS_ACTIVE') {
    return { reason: 'not_active', detail: typeof status === 'string' ? status : '' };
  }
  const request: ImportRequest = { ...secret };
  for (const name of SETTINGS) {
    const value = settings[name];
    if (value === undefined || value === null) continue;
    const read = typeof value === 'string' ? fromText(name, value) : value;
    if (read === undefined) return { reason: 'invalid', detail: `${name} is not JSON` };
    request[name] = read;
  }
  for (const name of ['name', 'actor_id']) {
    if (request[name] === undefined) return { reason: 'invalid', detail: `${name} is required` };
  }
  const { expire_time: expires } = settings;
  if (typeof expires !== 'string') return request;
  const seconds = Math.floor((Date.parse(expires) - now) / 1_000);
  if (Number.isNaN(seconds)) return { reason: 'invalid', detail: 'expire_time is no time' };
  if (seconds <= 0) return { reason: 'not_active', detail: 'it has expired' };
  return { ...request, ttl: `${seconds}s` };
}

function secretOf(row: Row, hmacKey: HmacKey | undefined): ImportRequest | RowRefusal {
  const { raw_key: rawKey } = row;
  if (typeof rawKey === 'string' && rawKey !== '') return { raw_key: rawKey };
  if (row.hash === undefined) {
    return { reason: 'no_secret', detail: 'the row has neither raw_key nor hash' };
  }
  const hash = hashOf(row, hmacKey);
  return hash ? { hash } : { reason: 'hash', detail: 'hash_algorithm has to say which it is' };
}

function fromText(name: string, text: string): unknown {
  if (name === 'scopes' || name === 'tags') {
    return text.split(/\s+/).filter((scope) => scope !== '');
  }
  if (!JSON_SETTINGS.includes(name)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
