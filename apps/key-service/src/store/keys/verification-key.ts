/**
 * A key as verification reads it and the cache keeps it, with the constant part of the answer as
 * JSON.
 */
import { isReservedScope, KEY_VISIBILITIES, type KeyVisibility } from '@gatehouse/schemas';
import { LRUCache } from 'lru-cache';
import { type KeyKind, type RateLimitPolicy, rateLimitPolicyView } from './key.types.js';
import { type RateLimit } from './rate-limit.types.js';
import { type UsageCounter } from '../usage/usage-counter.js';
import { AddressList } from './address-list.js';

/** A row of keys.api_keys as verification reads it; scopes, metadata and limits are JSON text. */
export interface VerificationRow {
  key_id: string;
  kind: KeyKind;
  actor_id: string;
  scopes: string;
  metadata: string;
  visibility: number;
  expire_ms: number | null;
  revoked: boolean;
  paused: boolean;
  left: boolean;
  rate_quota: string | null;
  rate_unit: string | null;
  rate_window_seconds: string | null;
  rate_limits: string | null;
  credit_account: string | null;
  allowed_cidrs: string[] | null;
  tags: string[] | null;
  secret_hash: string;
  hash_key_id: string | null;
}

const STATUS_HEAD = '{"is_valid":true,"status":"KEY_STATUS_ACTIVE",';
const VALID_HEAD = `${STATUS_HEAD}"key_id":"`;
const VALID_TAIL = ',"rate_limit_reset_time":null}';

const ACTOR = /^","actor_id":("(?:[^"\\]|\\.)*")/;

/** What many keys have alike, such as those of one plan. */
interface Traits {
  readonly kind: KeyKind;
  readonly policy: RateLimitPolicy | null;
  readonly rateLimits: readonly RateLimit[] | null;
  readonly addresses: AddressList | null;
  readonly allowedCidrs: readonly string[];
  readonly tags: readonly string[];
  readonly hashKeyId: string | null;
  /** The end of the result. */
  readonly end: string;
}

/** One object in memory for all keys that have it, by its columns. */
const sharedTraits = new LRUCache<string, Traits>({ max: 1_000 });

function traitsOf(row: VerificationRow, issuer: string): Traits {
  const { kind, visibility, rate_quota: quota, allowed_cidrs: cidrs, tags } = row;
  const { rate_unit: unit, rate_window_seconds: window, rate_limits: limits } = row;
  const columns = [issuer, kind, visibility, quota, unit, window, limits, cidrs, tags];
  const name = JSON.stringify([...columns, row.hash_key_id]);
  const known = sharedTraits.get(name);
  if (known !== undefined) return known;
  const policy =
    quota === null ? null : { quota, unit: unit ?? 'requests', windowSeconds: Number(window) };
  const traits = {
    kind,
    policy,
    rateLimits: limits === null ? null : (JSON.parse(limits) as RateLimit[]),
    addresses: cidrs && new AddressList(cidrs),
    allowedCidrs: cidrs ?? NONE,
    tags: tags ?? NONE,
    hashKeyId: row.hash_key_id,
    end: endOf(KEY_VISIBILITIES[visibility] ?? 'KEY_VISIBILITY_UNSPECIFIED', issuer, policy),
  };
  sharedTraits.set(name, traits);
  return traits;
}

function endOf(visibility: KeyVisibility, issuer: string, policy: RateLimitPolicy | null): string {
  const view = policy && rateLimitPolicyView(policy);
  // Only tokens name audiences.
  const facts = JSON.stringify({ visibility, issuer, rate_limit_policy: view, audiences: NONE });
  return `,${facts.slice(1, -1)}${VALID_TAIL}`;
}

/** The members of such a result that do not depend on the outcome, without braces. */
export function factsOf(validJson: string): string {
  return validJson.slice(STATUS_HEAD.length, -VALID_TAIL.length);
}

export class VerificationKey {
  readonly keyId: string;
  readonly isRevoked: boolean;
  readonly isPaused: boolean;
  /** Whether it is paused or revoked because its actor left. */
  readonly hasLeft: boolean;
  /** Infinity when the key does not expire. */
  readonly expireAtMs: number;
  /** The balance that verifications spend; null without one. */
  readonly creditAccount: string | null;
  /** Base64. Of an issued key the SHA-256 of its secret, of an imported key a keyed hash. */
  readonly secretHash: string;
  /** The result from the key id to the expiry time. */
  private readonly ownFacts: string;
  private readonly traits: Traits;

  /** The cache may use this entry until then, by the monotonic clock; set by the cache. */
  freshUntilMs = 0;
  /** Base64 of the SHA-256 of the confirmed credential; '' before the first confirmation. */
  confirmedDigest = '';
  /** When a use was last recorded for `last_used_time`, by the monotonic clock. */
  useNotedAtMs = -Infinity;
  /** The counter of its verifications, as long as it is open. */
  usage: UsageCounter | undefined = undefined;
  private parsedOwner: { readonly actorId: string; readonly scopes: readonly string[] } | undefined;

  constructor(row: VerificationRow, issuer: string) {
    this.keyId = row.key_id;
    this.isRevoked = row.revoked;
    this.isPaused = row.paused;
    this.hasLeft = row.left;
    this.expireAtMs = row.expire_ms === null ? Infinity : Math.round(row.expire_ms);
    this.creditAccount = row.credit_account;
    this.secretHash = row.secret_hash;
    const expireTime = row.expire_ms === null ? null : new Date(this.expireAtMs);
    // Array.join makes one flat string; concatenation would keep every part in memory.
    this.ownFacts = [
      `","actor_id":${JSON.stringify(row.actor_id)},"scopes":${this.countedScopes(row)},`,
      `"metadata":${compactJson(row.metadata)},"expire_time":${JSON.stringify(expireTime)}`,
    ].join('');
    this.traits = traitsOf(row, issuer);
  }

  get kind(): KeyKind {
    return this.traits.kind;
  }

  get policy(): RateLimitPolicy | null {
    return this.traits.policy;
  }

  /** Named limits beside the policy; null when there are none. */
  get rateLimits(): readonly RateLimit[] | null {
    return this.traits.rateLimits;
  }

  get addresses(): AddressList | null {
    return this.traits.addresses;
  }

  get allowedCidrs(): readonly string[] {
    return this.traits.allowedCidrs;
  }

  get tags(): readonly string[] {
    return this.traits.tags;
  }

  get hashKeyId(): string | null {
    return this.traits.hashKeyId;
  }

  /**
   * The complete answer to most verifications: that of a valid credential without a rate limit, as
   * JSON. It is put together for each of them, because its constant parts would be a third of the
   * memory of a cached key.
   */
  get validJson(): string {
    return VALID_HEAD + this.keyId + this.ownFacts + this.traits.end;
  }

  get isLimited(): boolean {
    return this.policy !== null || this.rateLimits !== null;
  }

  /** Whether a verification has to be counted, or paid for. */
  get isMetered(): boolean {
    return this.policy !== null || this.rateLimits !== null || this.creditAccount !== null;
  }

  get actorId(): string {
    return this.owner.actorId;
  }

  /** As `actorId`, without keeping it. */
  readActorId(): string {
    if (this.parsedOwner !== undefined) return this.parsedOwner.actorId;
    const json = ACTOR.exec(this.ownFacts)?.[1];
    return json === undefined ? '' : (JSON.parse(json) as string);
  }

  get scopes(): readonly string[] {
    return this.owner.scopes;
  }

  /** Parsed on first use and then kept, because the JSON may contain 64 KiB of metadata. */
  private get owner(): NonNullable<typeof this.parsedOwner> {
    if (this.parsedOwner === undefined) {
      const { actor_id: actorId, scopes } = this.parsedFacts();
      this.parsedOwner = { actorId, scopes };
    }
    return this.parsedOwner;
  }

  /** Actor, scopes, metadata and visibility. Parses JSON: not for the hot path. */
  parsedFacts(): {
    actor_id: string;
    scopes: string[];
    metadata: Record<string, unknown>;
    visibility: KeyVisibility;
  } {
    return JSON.parse(this.validJson) as ReturnType<VerificationKey['parsedFacts']>;
  }

  /** Control scopes count only on issued keys with secret visibility. */
  private countedScopes({ kind, visibility, scopes }: VerificationRow): string {
    const isSecret = KEY_VISIBILITIES[visibility] === 'KEY_VISIBILITY_SECRET';
    if ((kind === 'issued' && isSecret) || !scopes.includes(':')) return scopes;
    const counted = (JSON.parse(scopes) as string[]).filter((scope) => !isReservedScope(scope));
    return JSON.stringify(counted);
  }

  /** The approximate size in memory. */
  get sizeBytes(): number {
    const lists = this.allowedCidrs.length * 200 + this.tags.length * 96;
    return 480 + this.ownFacts.length + lists + (this.rateLimits?.length ?? 0) * 800;
  }
}

/** PostgreSQL writes jsonb with spaces. */
function compactJson(json: string): string {
  return json === '{}' ? json : JSON.stringify(JSON.parse(json));
}

const NONE: readonly string[] = [];
