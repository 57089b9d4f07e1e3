/** The JSON of a key. Unset values are written, except for those that are optional here. */
import { formatDuration, type JsonObject } from '@gatehouse/kit/input';
import { type KeyStatus, type KeyVisibility } from '@gatehouse/schemas';
import {
  type RateLimitPolicyView,
  rateLimitPolicyView,
  type RevocationReason,
} from '../store/keys/key.types.js';
import { type CreditsView, creditsView } from '../store/credits/credit.types.js';
import { rateLimitView, type RateLimitView } from '../store/keys/rate-limit.types.js';
import { type TrustedClaims, type TrustTerms } from '../store/keys/trust.types.js';
import { type KeyRecord, statusOf } from '../store/keys/key.record.js';
import { leaverView, type LeaverView } from '../store/keys/leaver.js';

export interface ImportedKeyView {
  key_id: string;
  name: string;
  actor_id: string;
  scopes: readonly string[];
  status: KeyStatus;
  metadata: JsonObject;
  tags?: readonly string[];
  create_time: string;
  update_time: string;
  expire_time: string | null;
  last_used_time: string | null;
  rate_limit_policy: RateLimitPolicyView | null;
  rate_limits?: readonly RateLimitView[];
  credits?: CreditsView;
  ip_restriction: { allowed_cidrs: readonly string[] } | null;
  expiring_thresholds?: readonly string[];
  visibility: KeyVisibility;
  leaver?: LeaverView;
  revocation_reason?: RevocationReason;
  revocation_description: string;
}

export interface IssuedKeyView extends ImportedKeyView {
  key_preview: string;
}

export interface TrustRuleView extends ImportedKeyView {
  issuer: string;
  audience: string;
  subject_pattern: string;
  claims: TrustedClaims;
  token_ttl: string;
  single_use: boolean;
}

export function importedKeyView(key: KeyRecord): ImportedKeyView {
  return {
    key_id: key.keyId,
    name: key.name,
    actor_id: key.actorId,
    scopes: key.scopes,
    status: statusOf(key),
    metadata: key.metadata,
    ...(key.tags.length > 0 && { tags: key.tags }),
    create_time: key.createTime.toISOString(),
    update_time: key.updateTime.toISOString(),
    expire_time: key.expireTime?.toISOString() ?? null,
    last_used_time: key.lastUsedTime?.toISOString() ?? null,
    rate_limit_policy: key.rateLimitPolicy && rateLimitPolicyView(key.rateLimitPolicy),
    ...(key.rateLimits.length > 0 && { rate_limits: key.rateLimits.map(rateLimitView) }),
    ...(key.credits && { credits: creditsView(key.credits) }),
    ip_restriction: key.allowedCidrs.length > 0 ? { allowed_cidrs: key.allowedCidrs } : null,
    ...(key.expiringThresholds && {
      expiring_thresholds: key.expiringThresholds.map(formatDuration),
    }),
    visibility: key.visibility,
    ...(key.leaver && { leaver: leaverView(key.leaver) }),
    ...(key.revocationReason === 'REVOCATION_REASON_UNSPECIFIED'
      ? {}
      : { revocation_reason: key.revocationReason }),
    revocation_description: key.revocationDescription,
  };
}

export function issuedKeyView(key: KeyRecord): IssuedKeyView {
  return { ...importedKeyView(key), key_preview: key.keyPreview };
}

export function trustRuleView(key: KeyRecord): TrustRuleView {
  const terms = key.trust as TrustTerms;
  return {
    ...importedKeyView(key),
    issuer: terms.issuer,
    audience: terms.audience,
    subject_pattern: terms.subjectPattern,
    claims: terms.claims,
    token_ttl: formatDuration(terms.tokenTtlSeconds),
    single_use: terms.isSingleUse,
  };
}
