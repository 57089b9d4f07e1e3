import { type PartialSecret } from '@gatehouse/crypto';
import { type JsonObject } from '@gatehouse/kit/input';
import {
  type KeyKind,
  type RateLimitPolicy,
  REVOCATION_REASONS,
  type RevocationReason,
} from './key.types.js';
import { type Credits } from '../credits/credit.types.js';
import { type Leaver } from './leaver.js';
import { type RateLimit } from './rate-limit.types.js';
import { type TrustTerms } from './trust.types.js';
import { KEY_VISIBILITIES, type KeyStatus, type KeyVisibility } from '@gatehouse/schemas';

/** A key as it is stored, without the hash of its secret. */
export interface KeyRecord {
  readonly keyId: string;
  readonly kind: KeyKind;
  readonly name: string;
  readonly actorId: string;
  readonly scopes: readonly string[];
  readonly metadata: JsonObject;
  /** Labels by which keys are listed and counted. */
  readonly tags: readonly string[];
  readonly visibility: KeyVisibility;
  readonly rateLimitPolicy: RateLimitPolicy | null;
  /** Named limits beside the policy. */
  readonly rateLimits: readonly RateLimit[];
  /** The balance that it shares with the keys it replaces; null without one. */
  readonly creditAccount: string | null;
  readonly credits: Credits | null;
  /** Empty when any address may use the key. */
  readonly allowedCidrs: readonly string[];
  /** How many seconds before its expiry the key is announced; null for the setting. */
  readonly expiringThresholds: readonly number[] | null;
  readonly keyPreview: string;
  readonly createTime: Date;
  readonly updateTime: Date;
  readonly expireTime: Date | null;
  readonly lastUsedTime: Date | null;
  readonly pauseTime: Date | null;
  /** The person because of whom it is paused, or was revoked; null if an administrator did it. */
  readonly leaver: Leaver | null;
  /** When it was resumed last. */
  readonly resumeTime: Date | null;
  readonly revokeTime: Date | null;
  readonly revocationReason: RevocationReason;
  readonly revocationDescription: string;
  /** The key that replaced this one in a rotation, or ''. */
  readonly replacedBy: string;
  /** Null unless it is a trust rule. */
  readonly trust: TrustTerms | null;
}

/** The properties of a key at its creation. */
export interface NewKey extends Omit<
  KeyRecord,
  | 'updateTime'
  | 'lastUsedTime'
  | 'pauseTime'
  | 'leaver'
  | 'resumeTime'
  | 'revokeTime'
  | 'revocationReason'
  | 'revocationDescription'
  | 'replacedBy'
  | 'credits'
  | 'creditAccount'
  | 'trust'
> {
  /** SHA-256 of an issued secret; the keyed hash that an imported key is found by. */
  readonly secretHash: Buffer;
  /** The HMAC secret that keyed the hash of an imported key; null for an issued one. */
  readonly hashKeyId: string | null;
  readonly requestId: string | null;
  /** The key that it replaces, and its balance. */
  readonly rotatedFrom?: string;
  readonly creditAccount?: string | null;
  /** A balance of its own. */
  readonly credits?: Credits | null;
  readonly trust?: TrustTerms;
}

/** The fields that an update sets; an absent one stays as it is. */
export interface KeyUpdate extends Partial<TrustTerms> {
  name?: string;
  scopes?: readonly string[];
  metadata?: JsonObject;
  tags?: readonly string[];
  rateLimitPolicy?: RateLimitPolicy | null;
  rateLimits?: readonly RateLimit[];
  allowedCidrs?: readonly string[];
  expiringThresholds?: readonly number[] | null;
}

/** Undefined members do not filter. */
export interface KeyFilter {
  readonly actorId: string | undefined;
  readonly status: KeyStatus | undefined;
  readonly name: string | undefined;
  readonly visibility: KeyVisibility | undefined;
  readonly tag: string | undefined;
  /** Of issued keys only. */
  readonly secret: PartialSecret | undefined;
  readonly createTime: TimeRange | undefined;
  readonly expireTime: TimeRange | undefined;
}

/** All keys of one kind. */
export const NO_FILTER: KeyFilter = {
  actorId: undefined,
  status: undefined,
  name: undefined,
  visibility: undefined,
  tag: undefined,
  secret: undefined,
  createTime: undefined,
  expireTime: undefined,
};

/** All keys of an actor, of one kind. */
export function filterOfActor(actorId: string): KeyFilter {
  return { ...NO_FILTER, actorId };
}

/** The bounds are exclusive; undefined ones do not apply. */
export interface TimeRange {
  readonly at: Date | undefined;
  readonly before: Date | undefined;
  readonly after: Date | undefined;
}

export interface KeyListQuery {
  readonly kind: KeyKind;
  readonly filter: KeyFilter;
  /** Leaves out the keys that have one of them. */
  readonly withoutScopes?: readonly string[];
  /** The position of the last key of the previous page. */
  readonly after: readonly string[] | undefined;
  readonly limit: number;
}

/**
 * Lists are in the order of creation. A list with a range of expiry times is in their order: the
 * index of one range cannot give the order of another, and keys that expire together were often
 * created together, so that a page could need the whole table. For the same reason, a list by the first
 * characters of a secret, which are a range of ids, is in the order of ids, in which keys are created, too.
 */
export function positionOf(key: KeyRecord, { secret, expireTime }: KeyFilter): readonly string[] {
  if (secret?.first !== undefined) return [key.keyId];
  const time = expireTime === undefined ? key.createTime : (key.expireTime as Date);
  return [time.toISOString(), key.keyId];
}

/** The status at a given time: the first that applies of revoked, expired and paused. */
export function statusOf(
  key: Pick<KeyRecord, 'revokeTime' | 'expireTime' | 'pauseTime'>,
  now: Date = new Date(),
): KeyStatus {
  if (key.revokeTime !== null) return 'KEY_STATUS_REVOKED';
  if (key.expireTime !== null && key.expireTime <= now) return 'KEY_STATUS_EXPIRED';
  return key.pauseTime === null ? 'KEY_STATUS_ACTIVE' : 'KEY_STATUS_PAUSED';
}

/** A row of keys.api_keys as pg returns it. */
export interface KeyRow {
  key_id: string;
  kind: KeyKind;
  name: string;
  actor_id: string;
  scopes: string[];
  metadata: JsonObject;
  tags: string[];
  visibility: number;
  rate_quota: string | null;
  rate_unit: string | null;
  rate_window_seconds: string | null;
  rate_limits: RateLimit[] | null;
  credit_account: string | null;
  allowed_cidrs: string[];
  expiring_thresholds: number[] | null;
  key_preview: string;
  create_time: Date;
  update_time: Date;
  expire_time: Date | null;
  last_used_time: Date | null;
  pause_time: Date | null;
  leaver: Leaver | null;
  resume_time: Date | null;
  revoke_time: Date | null;
  revocation_reason: number;
  revocation_description: string;
  replaced_by: string | null;
  trust: TrustTerms | null;
}

/** The record of a row, without its balance. */
export function keyOfRow(row: KeyRow): KeyRecord {
  return {
    keyId: row.key_id,
    kind: row.kind,
    name: row.name,
    actorId: row.actor_id,
    scopes: row.scopes,
    metadata: row.metadata,
    tags: row.tags,
    visibility: KEY_VISIBILITIES[row.visibility] ?? 'KEY_VISIBILITY_UNSPECIFIED',
    rateLimitPolicy:
      row.rate_quota === null
        ? null
        : {
            quota: row.rate_quota,
            unit: row.rate_unit ?? 'requests',
            windowSeconds: Number(row.rate_window_seconds),
          },
    rateLimits: row.rate_limits ?? [],
    creditAccount: row.credit_account,
    credits: null,
    allowedCidrs: row.allowed_cidrs,
    expiringThresholds: row.expiring_thresholds,
    keyPreview: row.key_preview,
    createTime: row.create_time,
    updateTime: row.update_time,
    expireTime: row.expire_time,
    lastUsedTime: row.last_used_time,
    pauseTime: row.pause_time,
    leaver: row.leaver,
    resumeTime: row.resume_time,
    revokeTime: row.revoke_time,
    revocationReason: REVOCATION_REASONS[row.revocation_reason] ?? 'REVOCATION_REASON_UNSPECIFIED',
    revocationDescription: row.revocation_description,
    replacedBy: row.replaced_by ?? '',
    trust: row.trust,
  };
}
