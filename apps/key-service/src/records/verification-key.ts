/**
 * A key as verification reads it and the cache keeps it, with the constant part of the answer as
 * JSON.
 */
import { isReservedScope } from '@gatehouse/schemas';
import { type KeyKind, type RateLimitPolicy, rateLimitPolicyView } from '../key.types.js';
import { KEY_VISIBILITIES, type KeyVisibility } from '../wire/enums.js';
import { AddressList } from './address-list.js';

/** A row of keys.api_keys as verification reads it; scopes and metadata are JSON text. */
export interface VerificationRow {
  key_id: string;
  kind: KeyKind;
  actor_id: string;
  scopes: string;
  metadata: string;
  visibility: number;
  expire_ms: number | null;
  revoked: boolean;
  rate_quota: string | null;
  rate_unit: string | null;
  rate_window_seconds: string | null;
  allowed_cidrs: string[] | null;
  tags: string[] | null;
  secret_hash: string;
  hash_key_id: string | null;
}

const VALID_HEAD = '{"is_valid":true,"status":"KEY_STATUS_ACTIVE",';
const VALID_TAIL = ',"rate_limit_reset_time":null}';

/** The verification result of a valid credential without a rate limit, as JSON. */
function validResultJson(facts: {
  keyId: string;
  actorId: string;
  scopesJson: string;
  metadataJson: string;
  expireAtMs: number;
  visibility: KeyVisibility;
  issuer: string;
  policy: RateLimitPolicy | null;
}): string {
  const expireTime =
    facts.expireAtMs === Infinity ? 'null' : `"${new Date(facts.expireAtMs).toISOString()}"`;
  const policy = facts.policy && rateLimitPolicyView(facts.policy);
  // Array.join makes one flat string; concatenation would keep every part in memory.
  return [
    VALID_HEAD,
    `"key_id":"${facts.keyId}","actor_id":${JSON.stringify(facts.actorId)},`,
    `"scopes":${facts.scopesJson},"metadata":${facts.metadataJson},"expire_time":${expireTime},`,
    `"visibility":"${facts.visibility}","issuer":${JSON.stringify(facts.issuer)},`,
    `"rate_limit_policy":${JSON.stringify(policy)}`,
    VALID_TAIL,
  ].join('');
}

/** The members of such a result that do not depend on the outcome, without braces. */
export function factsOf(validJson: string): string {
  return validJson.slice(VALID_HEAD.length, -VALID_TAIL.length);
}

export class VerificationKey {
  readonly keyId: string;
  readonly kind: KeyKind;
  readonly isRevoked: boolean;
  /** Infinity when the key does not expire. */
  readonly expireAtMs: number;
  readonly policy: RateLimitPolicy | null;
  readonly addresses: AddressList | null;
  readonly allowedCidrs: readonly string[];
  readonly tags: readonly string[];
  /** Base64. Of an issued key the SHA-256 of its secret, of an imported key a keyed hash. */
  readonly secretHash: string;
  readonly hashKeyId: string | null;
  /** The complete answer to most verifications; see `validResultJson`. */
  readonly validJson: string;

  /** The cache may use this entry until then; set by the cache. */
  freshUntilMs = 0;
  /** Base64 of the SHA-256 of the confirmed credential; '' before the first confirmation. */
  confirmedDigest = '';
  /** The last use that was recorded for `last_used_time`. */
  useNotedAtMs = 0;
  private parsedOwner: { readonly actorId: string; readonly scopes: readonly string[] } | undefined;

  constructor(
    row: VerificationRow,
    readonly issuer: string,
  ) {
    this.keyId = row.key_id;
    this.kind = row.kind === 'issued' ? 'issued' : 'imported';
    this.isRevoked = row.revoked;
    this.expireAtMs = row.expire_ms === null ? Infinity : Math.round(row.expire_ms);
    this.policy =
      row.rate_quota === null
        ? null
        : {
            quota: row.rate_quota,
            unit: row.rate_unit ?? 'requests',
            windowSeconds: Number(row.rate_window_seconds),
          };
    this.allowedCidrs = row.allowed_cidrs ?? NONE;
    this.tags = row.tags ?? NONE;
    this.addresses = row.allowed_cidrs && new AddressList(row.allowed_cidrs);
    this.secretHash = row.secret_hash;
    this.hashKeyId = row.hash_key_id;
    this.validJson = validResultJson({
      keyId: row.key_id,
      actorId: row.actor_id,
      scopesJson: this.countedScopes(row),
      metadataJson: compactJson(row.metadata),
      expireAtMs: this.expireAtMs,
      visibility: KEY_VISIBILITIES[row.visibility] ?? 'KEY_VISIBILITY_UNSPECIFIED',
      issuer,
      policy: this.policy,
    });
  }

  get actorId(): string {
    return this.owner.actorId;
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
    return 640 + this.validJson.length + this.allowedCidrs.length * 200 + this.tags.length * 96;
  }
}

/** PostgreSQL writes jsonb with spaces. */
function compactJson(json: string): string {
  return json === '{}' ? json : JSON.stringify(JSON.parse(json));
}

const NONE: readonly string[] = [];
