/**
 * How the limits of a key are counted (ADR 0036). All buckets of a verification share a slot of a Redis
 * Cluster: that of the actor if a limit is shared by keys, otherwise that of the key. Names of buckets
 * have a keyed hash in place of actors and tags, which may be personal data.
 */
import { hmacSha256, type KeyRing } from '@gatehouse/crypto';
import { type VerificationKey } from '../../store/keys/verification-key.js';
import { DEFAULT_LIMIT, type RateLimit } from '../../store/keys/rate-limit.types.js';
import { type LimitOutcome } from './limit-outcome.js';

const PURPOSE = 'rate-limit-bucket';
/** A process leases at most a hundredth of what a limit admits at once. */
const SLICES_IN_BURST = 100;
const SLICE_MAX = 10_000;

/** A limit as it is counted. */
export interface Bucket {
  readonly name: string;
  readonly key: string;
  /** Key of the lease; it includes the definition of the limit. */
  readonly leaseKey: string;
  readonly quota: string;
  readonly unit: string;
  readonly windowSeconds: number;
  readonly burst: bigint;
  readonly unitMicros: number;
  /** The most units that a process leases; 0 for a limit that is counted each time. */
  readonly sliceMax: number;
  readonly isStrict: boolean;
  /** Whether a verification that cannot be counted is refused. */
  readonly isDenying: boolean;
}

export interface LimitPlan {
  readonly buckets: readonly Bucket[];
  /** As `RateLimit-Policy` writes them. */
  readonly policies: string;
  /** Whether memory may answer. */
  readonly isLeasing: boolean;
  readonly isStrict: boolean;
  /** The last refusal, while it may be repeated without counting. */
  refusal: { readonly outcome: LimitOutcome; readonly untilMs: number } | undefined;
}

export interface PlanSettings {
  readonly ring: KeyRing;
  readonly isDenying: boolean;
  /** Whether limits are strict that do not say so. */
  readonly isStrict: boolean;
}

export function planOf(key: VerificationKey, settings: PlanSettings): LimitPlan {
  const limits = [...(key.policy ? [defaultLimit(key.policy)] : []), ...(key.rateLimits ?? [])];
  const isShared = limits.some(({ scope }) => scope !== 'key');
  const hash = (text: string) => {
    const digest = hmacSha256(settings.ring.forPurpose(PURPOSE).current.key, text);
    return digest.toString('base64url').slice(0, 22);
  };
  const slot = isShared ? hash(`actor\0${key.actorId}`) : key.keyId;
  const ownerOf = ({ scope, tag }: RateLimit) => {
    if (scope === 'key') return `key:${key.keyId}`;
    return scope === 'actor' ? 'actor' : `tag:${hash(`tag\0${key.actorId}\0${tag}`)}`;
  };
  const buckets = limits.map((limit) => {
    const owner = `${ownerOf(limit)}:${limit.name}:${limit.windowSeconds}`;
    return bucketOf(limit, `{${slot}}:${owner}`, settings);
  });
  return {
    buckets,
    policies: buckets.map(policyItem).join(', '),
    isLeasing: buckets.every(({ sliceMax }) => sliceMax > 0),
    isStrict: buckets.some(({ isStrict }) => isStrict),
    refusal: undefined,
  };
}

function bucketOf(
  limit: RateLimit & { unit?: string },
  key: string,
  settings: PlanSettings,
): Bucket {
  const { name, quota, windowSeconds, onError } = limit;
  const isStrict = limit.isStrict || settings.isStrict;
  const burst = BigInt(limit.burst);
  const slice = Math.min(Math.floor(Number(burst) / SLICES_IN_BURST), SLICE_MAX);
  const isCountable = burst <= BigInt(Number.MAX_SAFE_INTEGER);
  return {
    name,
    key,
    leaseKey: `${key}:${quota}:${burst}`,
    quota,
    windowSeconds,
    burst,
    unit: limit.unit ?? 'requests',
    unitMicros: (windowSeconds * 1e6) / Number(quota),
    sliceMax: isStrict || !isCountable || slice < 2 ? 0 : slice,
    isStrict,
    isDenying: onError === null ? settings.isDenying : onError === 'deny',
  };
}

function policyItem({ name, quota, windowSeconds, unit }: Bucket): string {
  const unitParameter = unit === 'requests' ? '' : `;qu="${unit}"`;
  return `"${headerName(name)}";q=${quota};w=${windowSeconds}${unitParameter}`;
}

/** The name of a limit in headers. */
export function headerName(name: string): string {
  return name === DEFAULT_LIMIT ? 'key' : name;
}

function defaultLimit(policy: NonNullable<VerificationKey['policy']>): RateLimit {
  return {
    ...policy,
    name: DEFAULT_LIMIT,
    burst: policy.quota,
    scope: 'key',
    tag: '',
    onError: null,
    isStrict: false,
  };
}
