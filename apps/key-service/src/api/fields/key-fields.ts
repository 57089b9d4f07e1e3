/** The fields that a caller may set on a key, with their limits. */
import { isIP, isIPv4, isIPv6 } from 'node:net';
import { CONTROL_SCOPES, isControlScope, isReservedScope } from '@gatehouse/schemas';
import {
  DurationError,
  hasControlCharacter,
  type InputReader,
  isObject,
  isWellFormed,
  type JsonObject,
  lengthOf,
  parseDuration,
} from '@gatehouse/kit/input';
import { type RateLimitPolicy } from '../../store/keys/key.types.js';
import { OTHER } from '../../store/usage/usage-counter.js';

const SCOPES_MAX = 256;
const SCOPE_CHARACTERS_MAX = 255;
const AUDIENCE_CHARACTERS_MAX = 1024;
const AUDIENCES_MAX = 64;
const CIDRS_MAX = 256;
const METADATA_BYTES_MAX = 64 * 1024;
const CUSTOM_CLAIMS_BYTES_MAX = 4 * 1024;
const JSON_DEPTH_MAX = 32;
const TTL_SECONDS_MAX = 10 * 365 * 86_400;
const INT64_MAX = 9_223_372_036_854_775_807n;
const TAGS_MAX = 16;
export const TAG = /^[A-Za-z0-9][A-Za-z0-9_.:/-]{0,63}$/;
const EXPIRING_THRESHOLDS_MAX = 10;
const EXPIRING_THRESHOLD_SECONDS_MIN = 60;
const UNIT = /^[\x21\x23-\x5b\x5d-\x7e]{1,64}$/;

/**
 * Scopes: at most 256, each 1 to 255 characters without white space. A scope with a reserved prefix
 * is a control scope or a fault.
 */
export function readScopes(body: InputReader, name = 'scopes'): string[] {
  const scopes = body.list(name, { max: SCOPES_MAX });
  scopes.forEach((scope, index) => {
    const fault = scopeFault(scope);
    if (fault !== undefined) body.addViolation(`${name}[${index}]`, fault, undefined);
  });
  return scopes as string[];
}

function scopeFault(scope: unknown): string | undefined {
  if (typeof scope !== 'string') return 'must be a string';
  const length = lengthOf(scope);
  if (length < 1 || length > SCOPE_CHARACTERS_MAX) {
    return `must have 1 to ${SCOPE_CHARACTERS_MAX} characters`;
  }
  if (/\s/.test(scope) || hasControlCharacter(scope) || !isWellFormed(scope)) {
    return 'must not hold white space or control characters';
  }
  if (isReservedScope(scope) && !isControlScope(scope)) {
    return `has a reserved prefix; the control scopes are ${CONTROL_SCOPES.join(', ')}`;
  }
  return undefined;
}

/** Tags: at most 16, each once. */
export function readTags(body: InputReader, name = 'tags'): string[] {
  const tags = body.list(name, { max: TAGS_MAX });
  tags.forEach((tag, index) => {
    if (typeof tag === 'string' && TAG.test(tag)) return;
    const fault =
      'must have 1 to 64 letters, digits and _ . : / -, and begin with a letter or a digit';
    body.addViolation(`${name}[${index}]`, fault, undefined);
  });
  return [...new Set(tags as string[])];
}

/** The audience of a token or of a verification; undefined when unset. */
export function readAudience(body: InputReader): string | undefined {
  return body.text('audience', { max: AUDIENCE_CHARACTERS_MAX }) || undefined;
}

/** A list of audiences, each once; empty when unset. */
export function readAudiences(body: InputReader, name: string): string[] {
  const audiences = body.list(name, { max: AUDIENCES_MAX });
  audiences.forEach((audience, index) => {
    if (isAudience(audience)) return;
    const fault = `must be a string of 1 to ${AUDIENCE_CHARACTERS_MAX} characters`;
    body.addViolation(`${name}[${index}]`, fault, undefined);
  });
  return [...new Set(audiences as string[])];
}

function isAudience(value: unknown): boolean {
  if (typeof value !== 'string' || value === '') return false;
  const isBounded = lengthOf(value) <= AUDIENCE_CHARACTERS_MAX;
  return isBounded && !hasControlCharacter(value) && isWellFormed(value);
}

/** The address of the client for whom the caller asks; undefined when unset. */
export function readClientIp(body: InputReader): string | undefined {
  const address = body.string('client_ip');
  if (address === undefined || (isIP(address) !== 0 && !address.includes('%'))) return address;
  const fault = 'must be an IPv4 or IPv6 address, such as 192.0.2.7';
  return body.addViolation('client_ip', fault, undefined);
}

/**
 * An actor id: 1 to 255 characters, without those that a filter would have to escape, and not the name
 * under which usage counts actors beyond its bounds.
 */
export function readActorId(body: InputReader): string {
  const actorId = body.text('actor_id', { min: 1 });
  if (actorId === OTHER) return body.addViolation('actor_id', `must not be ${OTHER}`, '');
  return /["\\]/.test(actorId)
    ? body.addViolation('actor_id', 'must not hold quotes or backslashes', '')
    : actorId;
}

export function readMetadata(body: InputReader): JsonObject {
  return readJsonObject(body, 'metadata', METADATA_BYTES_MAX);
}

/** Claims with any names; `aud` is what a verification can expect: an audience or a list of them. */
export function readCustomClaims(body: InputReader): JsonObject {
  const claims = readJsonObject(body, 'custom_claims', CUSTOM_CLAIMS_BYTES_MAX);
  if (Object.hasOwn(claims, 'aud')) {
    const audiences = [claims['aud']].flat();
    const isMeant = audiences.length > 0 && audiences.length <= AUDIENCES_MAX;
    if (!isMeant || !audiences.every(isAudience)) {
      const fault = `must be 1 to ${AUDIENCES_MAX} strings of 1 to ${AUDIENCE_CHARACTERS_MAX} characters`;
      body.addViolation('custom_claims.aud', fault, undefined);
    }
  }
  return claims;
}

function readJsonObject(body: InputReader, name: string, bytesMax: number): JsonObject {
  const value = body.raw(name);
  if (value === undefined) return {};
  if (!isObject(value)) return body.addViolation(name, 'must be an object', {});
  if (depthOf(value) > JSON_DEPTH_MAX) {
    return body.addViolation(name, `must be nested at most ${JSON_DEPTH_MAX} deep`, {});
  }
  if (hasInfinity(value)) {
    return body.addViolation(name, 'must not hold numbers beyond those of IEEE 754', {});
  }
  const json = JSON.stringify(value);
  if (Buffer.byteLength(json) > bytesMax) {
    return body.addViolation(name, `must be at most ${bytesMax} bytes of JSON`, {});
  }
  // jsonb can store neither; JSON.stringify writes both as escapes.
  if (/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/.test(json)) {
    return body.addViolation(name, 'must not hold NUL characters or half surrogate pairs', {});
  }
  return value;
}

/** Whether a number overflowed to Infinity, which JSON would write as null. */
function hasInfinity(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasInfinity);
}

/** The nesting depth of a JSON value, counted up to the limit and without recursion. */
function depthOf(value: unknown): number {
  let level: unknown[] = [value];
  for (let depth = 0; depth <= JSON_DEPTH_MAX + 1; depth += 1) {
    if (level.length === 0) return depth;
    level = level.flatMap((item) =>
      typeof item === 'object' && item !== null ? (Object.values(item) as unknown[]) : [],
    );
  }
  return JSON_DEPTH_MAX + 1;
}

/**
 * Seconds of a duration field, undefined when unset. A longer duration is a fault, never clamped.
 */
export function readDuration(
  body: InputReader,
  name: string,
  maxSeconds = TTL_SECONDS_MAX,
): number | undefined {
  return body.duration(name, { max: Math.min(maxSeconds, TTL_SECONDS_MAX) });
}

/** `rate_limit_policy {quota, unit, window}`; null when unset. */
export function readRateLimitPolicy(body: InputReader): RateLimitPolicy | null {
  const policy = body.child('rate_limit_policy');
  if (policy === undefined) return null;
  const quota = readPositiveInt64(policy, 'quota');
  const windowSeconds = readDuration(policy, 'window');
  if (policy.raw('window') === undefined) {
    policy.addViolation('window', 'must be set to a duration such as "60s"', undefined);
  }
  const unit = policy.raw('unit') ?? 'requests';
  if (typeof unit !== 'string' || (unit !== '' && !UNIT.test(unit))) {
    policy.addViolation(
      'unit',
      'must be 1 to 64 visible ASCII characters without quotes',
      undefined,
    );
  }
  return { quota, unit: (unit as string) || 'requests', windowSeconds: windowSeconds ?? 1 };
}

export function readPositiveInt64(body: InputReader, name: string, max = INT64_MAX): string {
  return readInt64(body, name, 1n, max);
}

/** A whole number, also as text. */
export function readInt64(body: InputReader, name: string, min: bigint, max: bigint): string {
  const value = body.raw(name);
  const wanted =
    max === INT64_MAX ? 'a positive 64-bit integer' : `a whole number from ${min} to ${max}`;
  const digits = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof digits !== 'string' || !/^\d{1,19}$/.test(digits)) {
    return body.addViolation(name, `must be ${wanted}`, '1');
  }
  const number = BigInt(digits);
  if (number >= min && number <= max) return number.toString();
  return body.addViolation(name, `must be ${wanted}`, '1');
}

/** `ip_restriction {allowed_cidrs}` as the list; empty when unset. One without a network is refused. */
export function readAllowedCidrs(body: InputReader): string[] {
  const restriction = body.child('ip_restriction');
  if (restriction === undefined) return [];
  const cidrs = restriction.list('allowed_cidrs', { min: 1, max: CIDRS_MAX });
  cidrs.forEach((cidr, index) => {
    if (typeof cidr === 'string' && isCidr(cidr)) return;
    restriction.addViolation(
      `allowed_cidrs[${index}]`,
      'must be an IPv4 or IPv6 network, such as 10.0.0.0/8',
      undefined,
    );
  });
  return cidrs as string[];
}

/**
 * How long before its expiry a key is announced, in seconds; null when unset. An empty list announces
 * nothing.
 */
export function readExpiringThresholds(body: InputReader): number[] | null {
  const name = 'expiring_thresholds';
  if (body.raw(name) === undefined) return null;
  const thresholds = body.list(name, { max: EXPIRING_THRESHOLDS_MAX }).map(secondsOfThreshold);
  thresholds.forEach((threshold, index) => {
    if (typeof threshold === 'number') return;
    body.addViolation(`${name}[${index}]`, threshold, undefined);
  });
  return [...new Set(thresholds.filter((threshold) => typeof threshold === 'number'))];
}

/** @returns the fault, where the value is no threshold */
function secondsOfThreshold(value: unknown): number | string {
  if (typeof value !== 'string') return 'must be a duration such as "7d", as a string';
  try {
    const seconds = parseDuration(value);
    return seconds < EXPIRING_THRESHOLD_SECONDS_MIN || seconds > TTL_SECONDS_MAX
      ? `must be from ${EXPIRING_THRESHOLD_SECONDS_MIN}s to ${TTL_SECONDS_MAX}s`
      : seconds;
  } catch (error) {
    if (error instanceof DurationError) return error.message;
    throw error;
  }
}

/** Strict CIDR notation: a plain address, a slash and a prefix length in decimal. */
export function isCidr(text: string): boolean {
  const [, address, prefix] = /^([0-9A-Fa-f:.]{2,45})\/(0|[1-9]\d{0,2})$/.exec(text) ?? [];
  if (address === undefined) return false;
  if (isIPv4(address)) return Number(prefix) <= 32;
  return isIPv6(address) && Number(prefix) <= 128;
}
