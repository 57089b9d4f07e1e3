/** Reads what callers send about a SCIM token. */
import { InputReader, millisecondsOf } from '@gatehouse/kit/input';
import { STRICT } from '../body.input.js';
import { overlapSeconds } from '../directories/directory.input.js';

/** When a secret expires; without either, it does not. */
export interface TokenExpiry {
  /** RFC 3339, in the future; null: it does not expire. */
  expires_at?: string | null;
  /** Instead of `expires_at`: a duration such as `90d`. */
  ttl?: string;
}

export interface NewScimTokenInput extends TokenExpiry {
  /** At most 100 characters; no other token of the directory has it. */
  name: string;
}

/** Absent values stay unchanged. */
export interface ScimTokenChanges extends TokenExpiry {
  name?: string;
}

/** The expiry is that of the new secret, and required if the current one has one. */
export interface ScimTokenRotation extends TokenExpiry {
  /** How long the current secret stays valid: a duration text or seconds; by default not at all. */
  overlap?: string | number;
}

const NAME = { max: 100 };
const TTL_SECONDS_MAX = 10 * 365 * 86_400;

/** @throws DomainError 400 */
export function readNewToken(json: unknown, now: Date) {
  const input = InputReader.of(json, STRICT);
  const read = {
    name: input.requiredText('name', NAME),
    expiresAt: expiryOf(input, now) ?? null,
  };
  input.throwIfInvalid();
  return read;
}

/** Undefined leaves a value unchanged. @throws DomainError 400 */
export function readTokenChanges(json: unknown, now: Date) {
  const input = InputReader.of(json, STRICT);
  input.allow(['name']);
  const isNamed = input.isPresent('name');
  const read = {
    name: isNamed ? input.requiredText('name', NAME) : undefined,
    expiresAt: expiryOf(input, now),
  };
  input.throwIfInvalid();
  return read;
}

/** @throws DomainError 400 */
export function readTokenRotation(json: unknown, now: Date) {
  const input = InputReader.of(json, STRICT);
  const read = {
    overlapSeconds: overlapSeconds(input, 'overlap'),
    expiresAt: expiryOf(input, now),
  };
  input.throwIfInvalid();
  return read;
}

/** Undefined if neither is sent, null for none. */
function expiryOf(input: InputReader, now: Date): Date | null | undefined {
  input.nullable(['expires_at']);
  const latest = now.getTime() + TTL_SECONDS_MAX * 1_000;
  const seconds = input.duration('ttl', { max: TTL_SECONDS_MAX });
  const text = input.string('expires_at');
  if (seconds !== undefined && text !== undefined) {
    return input.addViolation('ttl', 'cannot be combined with expires_at', undefined);
  }
  if (seconds !== undefined) return new Date(now.getTime() + seconds * 1_000);
  if (text === undefined) return input.isPresent('expires_at') ? null : undefined;
  const time = millisecondsOf(text);
  if (Number.isNaN(time)) {
    const description = 'must be a time such as "2027-01-31T12:00:00Z"';
    return input.addViolation('expires_at', description, undefined);
  }
  return time > now.getTime() && time <= latest
    ? new Date(time)
    : input.addViolation('expires_at', 'must be within the next ten years', undefined);
}
