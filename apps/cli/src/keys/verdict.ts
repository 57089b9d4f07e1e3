/** Why a key works or does not, in plain words. */
import { type Actor, type KeyStatus, type Refusal } from '@gatehouse/client';
import { type Fact } from '../output/output.js';
import { relativeTime } from '../output/times.js';
import { type Key } from './find-key.js';

/** Why a key is in its state, as the view of its actor has it. */
export type StateReason = Actor['issued_api_keys'][number]['state_reason'];
type Cause = NonNullable<StateReason>['cause'];

const STATES: Readonly<Record<KeyStatus, string>> = {
  KEY_STATUS_ACTIVE: 'active',
  KEY_STATUS_PAUSED: 'paused',
  KEY_STATUS_REVOKED: 'revoked',
  KEY_STATUS_EXPIRED: 'expired',
  KEY_STATUS_UNSPECIFIED: 'unknown',
};
const CAUSES: Readonly<Record<Cause, string>> = {
  administrator: 'an administrator did it',
  directory: 'its actor has left a directory',
  identity: 'the identity of its actor was deleted',
  portal: 'its user revoked it in the portal',
  holder: 'the holder of the secret revoked it',
  leak_report: 'its secret was found where it should not be',
  rotation: 'another key has replaced it',
  expiry: 'its time is over',
  unknown: 'too long ago to say why',
};
const REFUSALS: Readonly<Partial<Record<Refusal['error_code'], string>>> = {
  VERIFICATION_ERROR_EXPIRED: 'it had expired',
  VERIFICATION_ERROR_REVOKED: 'it was revoked',
  VERIFICATION_ERROR_PAUSED: 'it was paused',
  VERIFICATION_ERROR_IP_NOT_ALLOWED: 'the address is not in its networks',
  VERIFICATION_ERROR_RATE_LIMITED: 'a limit was reached',
  VERIFICATION_ERROR_CREDITS_EXHAUSTED: 'its credits were used up',
  VERIFICATION_ERROR_INSUFFICIENT_SCOPE: 'it lacks a scope',
  VERIFICATION_ERROR_AUDIENCE_MISMATCH: 'its token is for another audience',
  VERIFICATION_ERROR_INTERNAL: 'a store was away',
};

/** `active`, `paused`, `revoked` or `expired`. */
export function stateOf({ status }: Pick<Key, 'status'>): string {
  return STATES[status];
}

/** `it was paused`; of a rate limit, its name too. */
export function refusalInWords({ error_code, limit }: Refusal): string {
  const words = REFUSALS[error_code] ?? error_code;
  return limit === '' ? words : `${words}: ${limit}`;
}

/** Whether the key works now, and the sentence that says so. */
export function verdictOf(key: Key, reason: StateReason): { works: boolean; sentence: string } {
  const isEmpty = key.credits?.remaining === '0';
  const works = key.status === 'KEY_STATUS_ACTIVE' && !isEmpty;
  const name = `The key "${key.name}" of ${key.actor_id}`;
  if (works) return { works, sentence: `${name} works.` };
  if (key.status === 'KEY_STATUS_ACTIVE') {
    return { works, sentence: `${name} is refused: its credits are used up.` };
  }
  const why = reason
    ? `: ${CAUSES[reason.cause]}${reason.caller && ` (${reason.caller})`}, ${relativeTime(reason.time)}`
    : '';
  return { works, sentence: `${name} is refused. It is ${stateOf(key)}${why}.` };
}

/** What a request with the key has to observe. */
export function limitsOf(key: Key): Fact[] {
  const { rate_limit_policy: policy, credits, ip_restriction: networks } = key;
  const { amount, interval } = credits?.refill ?? {};
  const refill = amount === undefined ? '' : `, ${amount} more every ${interval}`;
  return [
    ['Scopes', key.scopes.join(' ') || 'none'],
    ['Rate limit', policy && `${policy.quota} in ${policy.window}`],
    ...(key.rate_limits ?? []).map(
      ({ name, quota, window, scope = 'key' }) =>
        [`Limit ${name}`, `${quota} in ${window} for each ${scope}`] as const,
    ),
    ['Credits', credits && `${credits.remaining} left${refill}`],
    ['Networks', networks?.allowed_cidrs.join(' ')],
  ];
}

/** A key as it is shown. */
export function factsOf(key: Key): Fact[] {
  return [
    ['Key', key.key_id],
    ['Preview', 'key_preview' in key ? key.key_preview : undefined],
    ['Name', key.name],
    ['Actor', key.actor_id],
    ['State', stateOf(key)],
    ...limitsOf(key),
    ['Tags', key.tags?.join(' ')],
    ['Created', relativeTime(key.create_time)],
    ['Expires', relativeTime(key.expire_time) || 'never'],
    ['Last used', relativeTime(key.last_used_time) || 'never'],
  ];
}
