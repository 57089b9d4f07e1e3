/** Reads what applications send to create portal sessions. */
import { isControlScope } from '@gatehouse/schemas';
import { PublicAddress } from '@gatehouse/pages';
import { type InputReader } from '@gatehouse/kit/input';
import { type KeyServiceConfig } from '../config.js';
import { readPrefix } from '../keys/key-input.js';
import { readActorId, readDuration, readScopes, readTags } from '../api/fields/key-fields.js';
import { readRateLimits } from '../api/fields/limit-fields.js';
import {
  PORTAL_ACTIONS,
  PORTAL_LANGUAGES,
  type PortalAction,
} from '../store/portal/portal.types.js';
import { type PortalTerms } from '../store/portal/portal-session.js';

const TTL = { fallback: 3_600, min: 300, max: 86_400 };
const MAX_KEYS = { fallback: 10, max: 1_000 };
const SCOPES_MAX = 50;
const URL_CHARACTERS_MAX = 2_048;

export interface PortalSessionInput {
  readonly terms: PortalTerms;
  readonly ttlSeconds: number;
}

export function readPortalSession(body: InputReader, config: KeyServiceConfig): PortalSessionInput {
  const ttlSeconds = readDuration(body, 'ttl', TTL.max) ?? TTL.fallback;
  if (ttlSeconds < TTL.min) body.addViolation('ttl', 'must be at least 300s', undefined);
  const prefix = readPrefix(body) ?? null;
  if (prefix !== null && !config.secretPrefixes.includes(prefix)) {
    const known = config.secretPrefixes.join(', ');
    body.addViolation('prefix', `must be one of ${known}`, undefined);
  }
  const terms: PortalTerms = {
    actorId: readActorId(body),
    allow: readActions(body),
    scopes: readPortalScopes(body),
    tags: readTags(body),
    prefix,
    maxKeys: body.integer('max_keys', { min: 1, max: MAX_KEYS.max }) ?? MAX_KEYS.fallback,
    keyTtlSeconds: readDuration(body, 'key_ttl', config.maxTtlSeconds) ?? null,
    rateLimits: readRateLimits(body),
    returnUrl: readReturnUrl(body, config.returnUrls.allowed),
    language: body.oneOf('language', PORTAL_LANGUAGES) ?? null,
  };
  body.throwIfInvalid();
  return { terms, ttlSeconds };
}

function readActions(body: InputReader): PortalAction[] {
  if (body.raw('allow') === undefined) return [...PORTAL_ACTIONS];
  const sent = body.list('allow', { max: PORTAL_ACTIONS.length });
  const isKnown = (action: unknown) => PORTAL_ACTIONS.includes(action as PortalAction);
  if (sent.every(isKnown)) return [...new Set(sent as PortalAction[])];
  return body.addViolation('allow', `must be a list of ${PORTAL_ACTIONS.join(', ')}`, []);
}

function readPortalScopes(body: InputReader): string[] {
  const scopes = [...new Set(readScopes(body))];
  if (scopes.length > SCOPES_MAX) {
    return body.addViolation('scopes', `must have at most ${SCOPES_MAX} items`, []);
  }
  scopes.forEach((scope, index) => {
    if (typeof scope !== 'string' || !isControlScope(scope)) return;
    body.addViolation(
      `scopes[${index}]`,
      'is a control scope, which users cannot grant',
      undefined,
    );
  });
  return scopes;
}

function readReturnUrl(body: InputReader, allowed: readonly string[]): string | null {
  const text = body.text('return_url', { max: URL_CHARACTERS_MAX });
  if (text === '') return null;
  if (allowed.length > 0) {
    return new PublicAddress({ allowedReturnUrls: allowed }).checkReturnUrl('return_url', text);
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' && url.username === '' && url.password === '';
  if (isSafe) return url.href;
  return body.addViolation('return_url', 'must be an https address without credentials', null);
}
