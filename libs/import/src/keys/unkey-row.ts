/** A row of the table of keys of Unkey, as a row of any other file of keys. */
import { type Row } from '../rows.js';

/** Their names in the database, and in an export by a program. */
const NAMES = {
  actor_id: ['external_id', 'externalId', 'owner_id', 'ownerId'],
  metadata: ['meta'],
  expire_time: ['expires'],
  deleted: ['deleted_at', 'deletedAtM', 'deleted_at_m', 'deletedAt'],
  remaining: ['remaining_requests', 'remaining'],
  quota: ['ratelimit_limit', 'ratelimitLimit'],
  window: ['ratelimit_duration', 'ratelimitDuration'],
} as const;

export function rowOfUnkey(row: Row): Row {
  const value = (name: keyof typeof NAMES) =>
    NAMES[name].map((each) => row[each]).find((each) => isSet(each));
  const isOff = [0, '0', false, 'false'].includes(row.enabled as number);
  const isEnded = isSet(value('deleted')) || isOff;
  const [quota, window, remaining] = [value('quota'), value('window'), value('remaining')];
  return {
    key_id: row.id ?? row.key_id,
    hash: row.hash,
    hash_algorithm: 'sha256',
    hash_encoding: 'base64',
    name: [row.name, row.start, row.id].find(isSet),
    actor_id: value('actor_id'),
    scopes: row.scopes ?? row.permissions,
    metadata: value('metadata'),
    status: isEnded ? 'KEY_STATUS_REVOKED' : undefined,
    expire_time: timeOf(value('expire_time')),
    ...(isSet(quota) && {
      rate_limit_policy: { quota: String(quota), window: `${Math.ceil(Number(window) / 1_000)}s` },
    }),
    ...(isSet(remaining) && { credits: { remaining: String(remaining) } }),
  };
}

/** Milliseconds, or a date and time of MySQL, which Unkey keeps in UTC. */
function timeOf(value: unknown): string | undefined {
  if (!isSet(value)) return undefined;
  const text = String(value);
  const time = /^\d+$/.test(text)
    ? new Date(Number(text))
    : new Date(/[zZ]|[+-]\d\d:?\d\d$/.test(text) ? text : `${text.replace(' ', 'T')}Z`);
  return Number.isNaN(time.getTime()) ? text : time.toISOString();
}

function isSet(value: unknown): boolean {
  return (
    value !== undefined && value !== null && value !== '' && value !== 'NULL' && value !== '\\N'
  );
}
