/**
 * Only the holder of a live issued key with secret visibility can be an administrator, by its control
 * scopes. Public keys, imported keys and derived tokens never are.
 */
import { isControlScope } from '@gatehouse/schemas';
import { type Judgment } from '@gatehouse/nest-kit/admin';
import { type Verification } from './verification-result.js';

/** The control scopes that each service may ask about start with its prefix. */
const PREFIXES: Readonly<Record<string, string>> = {
  'dsync-api': 'dsync:',
  'identity-forms': 'forms:',
};

const REFUSED: Judgment = { outcome: 'refused', sub: '', actor_id: '', scopes: [] };

const TEMPORARY = ['VERIFICATION_ERROR_RATE_LIMITED', 'VERIFICATION_ERROR_CREDITS_EXHAUSTED'];

/** Judges the holder of a verified credential. */
export function judge({ error, key, token }: Verification): Judgment {
  if (error === 'VERIFICATION_ERROR_INTERNAL') return { ...REFUSED, outcome: 'unavailable' };
  if (error !== undefined && TEMPORARY.includes(error)) {
    return { ...REFUSED, outcome: 'rate_limited' };
  }
  if (error !== undefined || key?.kind !== 'issued' || token !== undefined) return REFUSED;
  const { visibility } = key.parsedFacts();
  if (visibility !== 'KEY_VISIBILITY_SECRET') return REFUSED;
  const scopes = key.scopes.filter(isControlScope);
  return { outcome: 'live', sub: key.keyId, actor_id: key.actorId, scopes };
}

/** As `judge`, for another service: only its own control scopes count. */
export function judgeFor(service: string, verification: Verification): Judgment {
  const judgment = judge(verification);
  const prefix = PREFIXES[service];
  const scopes = judgment.scopes.filter((scope) => prefix && scope.startsWith(prefix));
  return { ...judgment, scopes };
}
