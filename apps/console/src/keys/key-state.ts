/** Whether a key works, and why not. */
import { type Actor, type KeysAuditEvent } from '@gatehouse/client';
import { type Html, type HtmlPart, markup } from '@gatehouse/pages';
import { badge, link, written } from '../parts/text.js';
import { time } from '../parts/time.js';
import { type ConsoleFrame } from '../site/console-frame.js';
import { keysTexts } from '../texts/keys.texts.js';
import { type Key } from './key-lookup.js';

export type StateReason = NonNullable<Actor['issued_api_keys'][number]['state_reason']>;

const HOUR_MS = 3_600_000;
/** Causes of revocations that cannot be taken back. */
const FINAL: readonly StateReason['cause'][] = ['holder', 'leak_report', 'rotation'];
const BADGES = {
  KEY_STATUS_UNSPECIFIED: 'quiet',
  KEY_STATUS_ACTIVE: 'good',
  KEY_STATUS_PAUSED: 'warning',
  KEY_STATUS_EXPIRED: 'quiet',
  KEY_STATUS_REVOKED: 'bad',
} as const;

export function statusBadge({ language }: ConsoleFrame, { status }: Pick<Key, 'status'>): Html {
  return badge(BADGES[status], keysTexts(language).statuses[status]);
}

/** Why a key is paused or revoked, by its newest audit events; undefined if they do not say. */
export function reasonOf(
  { status, revocation_reason: reason, update_time }: Key,
  events: readonly KeysAuditEvent[],
): StateReason | undefined {
  const type = status === 'KEY_STATUS_REVOKED' ? 'key.revoked' : 'key.paused';
  const event = events.find((each) => each.type === type);
  if (event) return { cause: causeOf(event), time: event.create_time, caller: callerOf(event) };
  return reason === 'REVOCATION_REASON_SUPERSEDED'
    ? { cause: 'rotation', time: update_time, caller: '' }
    : undefined;
}

function causeOf({ details, caller }: KeysAuditEvent): StateReason['cause'] {
  const named = details['cause'] ?? details['by'];
  if (typeof named === 'string') return named as StateReason['cause'];
  return caller.startsWith('portal:') ? 'portal' : 'administrator';
}

/** The person behind an event, if it was an issued key of theirs. */
function callerOf({ details, caller }: KeysAuditEvent): string {
  const actor = details['caller_actor_id'];
  return typeof actor === 'string' ? actor : caller;
}

/** The cause in words, with a link to the person who left, or with the caller. */
export function causeText(
  frame: ConsoleFrame,
  { leaver }: Pick<Key, 'leaver'>,
  { cause, caller }: Pick<StateReason, 'cause' | 'caller'>,
): HtmlPart {
  const { causes } = keysTexts(frame.language);
  const text = causes[cause] ?? causes.unknown;
  if (cause === 'directory' && leaver?.user_id !== undefined) {
    return link(frame, `/directories/${leaver.directory_id}/users/${leaver.user_id}`, text);
  }
  if (cause === 'identity' && leaver?.identity_id !== undefined) {
    return link(frame, `/forms/identities/${leaver.identity_id}`, text);
  }
  return cause === 'administrator' && caller !== '' ? [text, ': ', written(caller)] : text;
}

/** One sentence, after the badge of the status. */
export function verdict(frame: ConsoleFrame, key: Key, reason: StateReason | undefined): HtmlPart {
  const texts = keysTexts(frame.language);
  const { status, expire_time: expireTime, credits } = key;
  if (status === 'KEY_STATUS_ACTIVE') {
    if (credits?.remaining === '0') return texts.usedUp;
    return expireTime === null ? texts.works : texts.worksUntil(time(frame, expireTime));
  }
  if (status === 'KEY_STATUS_EXPIRED') return markup`${texts.since} ${time(frame, expireTime)}.`;
  if (reason === undefined) return texts.causes.unknown;
  return markup`${texts.since} ${time(frame, reason.time)} (${causeText(frame, key, reason)}).`;
}

/** Until when a revocation can be taken back; undefined if it is final. */
export function undoTime(key: Key, reason: StateReason | undefined): Date | undefined {
  const isFinal = reason === undefined || FINAL.includes(reason.cause);
  if (key.status !== 'KEY_STATUS_REVOKED' || isFinal) return undefined;
  if (key.revocation_reason === 'REVOCATION_REASON_KEY_COMPROMISE') return undefined;
  const until = new Date(Date.parse(reason.time) + HOUR_MS);
  return until.getTime() > Date.now() ? until : undefined;
}
